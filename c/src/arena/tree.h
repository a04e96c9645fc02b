/* A height-balanced (AVL) search tree whose nodes live inside the caller's structs. Ordered by (key, tie),
 * both smallest first; each subtree knows the largest `room` in it, so that the first node with enough room
 * is found in one descent. */
#ifndef TA_ARENA_TREE_H
#define TA_ARENA_TREE_H

#include <stdint.h>

typedef struct ta_tree_node ta_tree_node;
struct ta_tree_node {
  uint64_t key, tie, room; /* set by the caller before it inserts; (key, tie) is unique in its tree */
  uint64_t largest_room;   /* over the subtree; the tree's own, like all that follows */
  ta_tree_node *parent, *left, *right;
  int32_t height;
};

typedef struct ta_tree {
  ta_tree_node *root;
} ta_tree;

/* O(log n). */
void ta_tree_insert(ta_tree *tree, ta_tree_node *node);
void ta_tree_remove(ta_tree *tree, ta_tree_node *node);

/* The first node in order with room for `least`; NULL when there is none. O(log n). */
ta_tree_node *ta_tree_first_with_room(const ta_tree *tree, uint64_t least);

/* The last node whose key is at most `key`; NULL when there is none. O(log n). */
ta_tree_node *ta_tree_last_up_to(const ta_tree *tree, uint64_t key);

#endif
