import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench -- [suite] [options]`: a suite is a file of `suites/`; without a name, the 33 questions. */
const folder = join(import.meta.dirname, 'suites')
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const [given] = process.argv.slice(2)
const suite = given === undefined || given.startsWith('-') ? 'questions' : given

if (suites.includes(suite)) {
  if (suite === given) process.argv.splice(2, 1)
  await import(`./suites/${suite}.ts`)
} else {
  console.error(`There is no suite ${JSON.stringify(suite)}; there are ${suites.join(', ')}.`)
  process.exitCode = 2
}
