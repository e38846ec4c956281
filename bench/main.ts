import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench -- [suite] [options]`: a suite is a file in `suites/`. Without a name the suite `questions` runs. */
const folder = join(import.meta.dirname, 'suites')
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
const [given] = process.argv.slice(2)
const suite = given === undefined || given.startsWith('-') ? 'questions' : given
const isHelp = process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')

/** Returns the comment at the head of a suite, and its options with their default values. */
function helpOf(name: string): string {
  const source = readFileSync(join(folder, `${name}.ts`), 'utf8')
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//m.exec(source) ?? []
  const about = comment.replaceAll(/^ *\*? ?/gm, '').trim()
  const option = /^ {4}'?([\w-]+)'?: \{ type: '(string|boolean)'(?:, default: ([^ }]+))?/gm
  const options = Array.from(source.matchAll(option), ([, flag, type, value]) => {
    const taken = type === 'string' ? ' VALUE' : ''
    return `  --${flag}${taken}${value === undefined || value === 'false' ? '' : ` (default: ${value.replaceAll("'", '')})`}`
  })
  return [about, ...(options.length === 0 ? [] : ['', 'Options:', ...options])].join('\n')
}

if (!suites.includes(suite)) {
  console.error(`There is no suite ${JSON.stringify(suite)}; there are ${suites.join(', ')}.`)
  process.exitCode = 2
} else if (isHelp) {
  console.log(
    `npm run bench -- ${suite}\n\n${helpOf(suite)}\n\nAll suites: ${suites.join(', ')}; bench/README.md has a question for each.`,
  )
} else {
  if (suite === given) process.argv.splice(2, 1)
  await import(`./suites/${suite}.ts`)
}
