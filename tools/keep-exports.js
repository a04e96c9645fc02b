// Prints the graph that wasm-metadce reads: what the manifest of exports names is kept, and with it what that
// reaches; what a toolchain exports on top of it goes.
import { readManifest } from './manifest.js';

const kept = [...readManifest().map(({ name }) => name), '_initialize'];
const nodes = kept.map((name) => ({ name: `export:${name}`, export: name }));
console.log(JSON.stringify([{ name: 'host', root: true, reaches: nodes.map(({ name }) => name) }, ...nodes], null, 1));
