// Where the native programs are. TENSOR_ARENA_NATIVE puts another build in the place of build/native: the one
// with sanitizers, the one that measures coverage.

/** @param {string} variant */
export function folderOf(variant) {
  return variant === 'native' ? (process.env.TENSOR_ARENA_NATIVE ?? 'build/native') : `build/${variant}`;
}
