#include "arena/tree.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/num.h"

static int32_t height_of(const ta_tree_node *node) {
  return node ? node->height : 0;
}

static uint64_t room_of(const ta_tree_node *node) {
  return node ? node->largest_room : 0;
}

static bool comes_before(const ta_tree_node *a, const ta_tree_node *b) {
  return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

/* What the node says about its subtree, from its children. */
static void update(ta_tree_node *node) {
  node->height = 1 + ta_max_i32(height_of(node->left), height_of(node->right));
  node->largest_room = ta_max_u64(node->room, ta_max_u64(room_of(node->left), room_of(node->right)));
}

/* Puts `now` (may be NULL) where `old` hangs from its parent. */
static void replace(ta_tree *tree, const ta_tree_node *old, ta_tree_node *now) {
  ta_tree_node *parent = old->parent;
  if (!parent) {
    tree->root = now;
  } else if (parent->left == old) {
    parent->left = now;
  } else {
    parent->right = now;
  }
  if (now) now->parent = parent;
}

/* The right child takes the node's place; returns it. */
static ta_tree_node *rotate_left(ta_tree *tree, ta_tree_node *node) {
  ta_tree_node *up = node->right;
  replace(tree, node, up);
  node->right = up->left;
  if (up->left) up->left->parent = node;
  up->left = node;
  node->parent = up;
  update(node);
  update(up);
  return up;
}

static ta_tree_node *rotate_right(ta_tree *tree, ta_tree_node *node) {
  ta_tree_node *up = node->left;
  replace(tree, node, up);
  node->left = up->right;
  if (up->right) up->right->parent = node;
  up->right = node;
  node->parent = up;
  update(node);
  update(up);
  return up;
}

/* From `node` up to the root: brings sums up to date, and rotates where the two sides differ by two. */
static void rebalance(ta_tree *tree, ta_tree_node *node) {
  for (; node; node = node->parent) {
    update(node);
    int32_t lean = height_of(node->left) - height_of(node->right);
    if (lean > 1) {
      if (height_of(node->left->left) < height_of(node->left->right)) rotate_left(tree, node->left);
      node = rotate_right(tree, node);
    } else if (lean < -1) {
      if (height_of(node->right->right) < height_of(node->right->left)) rotate_right(tree, node->right);
      node = rotate_left(tree, node);
    }
  }
}

void ta_tree_insert(ta_tree *tree, ta_tree_node *node) {
  ta_tree_node *parent = NULL;
  ta_tree_node **at = &tree->root;
  while (*at) {
    parent = *at;
    at = comes_before(node, parent) ? &parent->left : &parent->right;
  }
  node->parent = parent;
  node->left = node->right = NULL;
  *at = node;
  rebalance(tree, node);
}

void ta_tree_remove(ta_tree *tree, ta_tree_node *node) {
  ta_tree_node *lowest = node->parent; /* where heights may have changed first */
  if (!node->left) {
    replace(tree, node, node->right);
  } else if (!node->right) {
    replace(tree, node, node->left);
  } else {
    ta_tree_node *next = node->right; /* the node's successor takes its place */
    while (next->left) next = next->left;
    lowest = next;
    if (next->parent != node) {
      lowest = next->parent;
      replace(tree, next, next->right);
      next->right = node->right;
      next->right->parent = next;
    }
    next->left = node->left;
    next->left->parent = next;
    replace(tree, node, next);
  }
  rebalance(tree, lowest);
}

ta_tree_node *ta_tree_first_with_room(const ta_tree *tree, uint64_t least) {
  ta_tree_node *node = tree->root;
  if (room_of(node) < least) return NULL;
  for (;;) {
    if (node->left && node->left->largest_room >= least) {
      node = node->left;
    } else if (node->room >= least) {
      return node;
    } else {
      node = node->right;
    }
  }
}

ta_tree_node *ta_tree_last_up_to(const ta_tree *tree, uint64_t key) {
  ta_tree_node *found = NULL;
  ta_tree_node *node = tree->root;
  while (node) {
    if (node->key <= key) {
      found = node;
      node = node->right;
    } else {
      node = node->left;
    }
  }
  return found;
}
