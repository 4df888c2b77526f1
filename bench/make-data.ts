import { dataFile } from '#bench/data.ts'

/** `node bench/make-data.ts 10000 1000000` makes the files of generated items and prints their paths. */
for (const items of process.argv.slice(2).map(Number)) process.stdout.write(`${await dataFile(items)}\n`)
