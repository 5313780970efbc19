// Started by `inFreshProcess`: calls one function and reports what it gave.
process.on('disconnect', () => process.exit());
const [url, name, input] = process.argv.slice(2);
const module = await import(url);
const result = await module[name](JSON.parse(input));
process.send?.(result, undefined, undefined, () => process.exit());
