import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench -- [suite] [options]`: a suite is a file of `suites/`; without a name, the 33 questions. */
const folder = join(import.meta.dirname, 'suites')
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const [given] = process.argv.slice(2)
const suite = given === undefined || given.startsWith('-') ? 'questions' : given
const isHelp = process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')

/** The paragraphs of the README that tell how a suite is called. */
function paragraphsOf(name: string): readonly string[] {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const call = name === 'questions' ? '`npm run bench [' : `\`npm run bench -- ${name}`
  return readme.split(/\n{2,}/).filter((paragraph) => paragraph.startsWith(call))
}

function tellHelp(): void {
  if (suite === given) {
    const found = paragraphsOf(suite)
    console.log(
      found.length === 0 ? `npm run bench -- ${suite}: see the file bench/suites/${suite}.ts` : found.join('\n\n'),
    )
    return
  }
  console.log(
    `${paragraphsOf('questions').join('\n\n')}\n\nOther suites: ${suites.filter((name) => name !== 'questions').join(', ')}.`,
  )
  console.log('`npm run bench -- SUITE --help` tells more of one, bench/README.md of all.')
}

if (!suites.includes(suite)) {
  console.error(`There is no suite ${JSON.stringify(suite)}; there are ${suites.join(', ')}.`)
  process.exitCode = 2
} else if (isHelp) {
  tellHelp()
} else {
  if (suite === given) process.argv.splice(2, 1)
  await import(`./suites/${suite}.ts`)
}
