import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Processor time of parsing with the built package: the first query text of a process, everyday queries in a warm
 * process, and a text of 64 KiB. `npm run build; npm run bench -- parse [--rounds N] [--against DIST]`. `--against`
 * names the `dist` folder of another build, which takes turns with this one; ratios are this build over the other.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '12' }, against: { type: 'string' } },
})
const rounds = Number(values.rounds)
const own = resolve(import.meta.dirname, '../../dist')
const builds = [own, ...(values.against === undefined ? [] : [resolve(values.against)])]
for (const build of builds)
  if (!existsSync(join(build, 'lang.js'))) throw new Error(`${build} has no lang.js: run npm run build there first.`)

interface Language {
  readonly file: string
  readonly parse: string
  readonly queries: readonly string[]
  readonly clause: string
}

const languages: readonly Language[] = [
  {
    file: 'lang.js',
    parse: 'parse',
    queries: [
      'level:error',
      '_time:5m error | limit 10',
      'error OR warning | top 5 by (path)',
      'level:error service:in("api","web") | stats by (service) count() as n | sort by (n desc) | limit 10',
      'level:error and not (pod:api-* or pod:=web) duration_ms:>250 | stats by (_time:5m, workload) count() n',
    ],
    clause: ' or level:error',
  },
  {
    file: 'promql.js',
    parse: 'parsePromql',
    queries: [
      'up',
      'rate(http_requests_total{job="api"}[5m])',
      'sum by (job) (rate(http_requests_total[5m])) / 2 > 0.5',
    ],
    clause: ' or up{job="api"}',
  },
]

const LONGEST_QUERY = 65_536

function longQuery({ queries: [first = ''], clause }: Language): string {
  return first + clause.repeat(Math.floor((LONGEST_QUERY - first.length) / clause.length))
}

/** Returns the processor milliseconds of the first parse in a process of its own. */
function firstParseMs(build: string, { file, parse, queries }: Language): number {
  const program = `
    const { ${parse}: parse } = await import(${JSON.stringify(pathToFileURL(join(build, file)).href)})
    const before = process.cpuUsage()
    parse(${JSON.stringify(queries.at(-1))})
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1000)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

function cpuMs(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Returns the minimum of several measurements of each build, taken in turns. */
function leastOf(measure: (build: number) => number): readonly number[] {
  const least = builds.map(() => Infinity)
  for (let round = 0; round < rounds; round++)
    for (const [i, before] of least.entries()) least[i] = Math.min(before, measure(i))
  return least
}

function print(name: string, [ours = NaN, other]: readonly number[], unit: string): void {
  const ratio = other === undefined ? '' : `  other ${other.toFixed(3)} ${unit}  ratio ${(ours / other).toFixed(2)}`
  console.log(`${name.padEnd(64)} ${ours.toFixed(3).padStart(9)} ${unit}${ratio}`)
}

/** The number of parses in one measurement, so that it takes some ten milliseconds. */
const REPEATS = 500

for (const language of languages) {
  const first = leastOf((i) => firstParseMs(builds[i] ?? own, language))
  print(`${language.parse}: first of a process`, first, 'ms')
  const parsers = await Promise.all(
    builds.map(async (build) => {
      const module = (await import(pathToFileURL(join(build, language.file)).href)) as Record<
        string,
        (text: string) => unknown
      >
      return module[language.parse] ?? (() => undefined)
    }),
  )
  const repeat = (i: number, query: string, times: number): number =>
    cpuMs(() => {
      for (let n = 0; n < times; n++) parsers[i]?.(query)
    }) / times
  for (const query of language.queries) {
    for (let i = 0; i < builds.length; i++) repeat(i, query, 4 * REPEATS)
    print(
      query,
      leastOf((i) => repeat(i, query, REPEATS)),
      'ms',
    )
  }
  print(
    'a query of 64 KiB',
    leastOf((i) => repeat(i, longQuery(language), 1)),
    'ms',
  )
}
