// Fails on an object of the core that can change: anything in .data, .bss, thread-local or common storage.
// Arguments: the archives to look at.
import { execFileSync } from 'node:child_process';

/** Sections that are written once, by the loader (addresses in constant tables), and never by us. */
const CONSTANT = /^\.(rodata|data\.rel\.ro)/;
const CHANGEABLE = /^(\.(data|bss|tdata|tbss)|\*COM\*)/;

/** @type {string[]} */
const faults = [];
let objects = 0;
for (const archive of process.argv.slice(2)) {
  let member = archive;
  for (const line of execFileSync('objdump', ['-t', archive], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n')) {
    member = /^(\S+\.o):/.exec(line)?.[1] ?? member;
    // value, seven flag characters (the last is O for an object), section, size, name
    const symbol = /^[0-9a-f]+ .{6}(.) (\S+)\s+([0-9a-f]+)\s+(?:\.hidden )?(\S+)$/.exec(line);
    if (!symbol) continue;
    const [, flag, section = '', size = '0', name] = symbol;
    if (flag === 'O' || section === '*COM*') objects++;
    if (CHANGEABLE.test(section) && !CONSTANT.test(section) && flag !== 'd' && parseInt(size, 16) > 0)
      faults.push(`${archive}(${member}): ${name} can change (${section}, ${parseInt(size, 16)} bytes)`);
  }
}
for (const fault of faults) console.error(fault);
console.log(`globals: ${objects} objects, ${faults.length} that can change`);
process.exitCode = faults.length || objects === 0 ? 1 : 0;
