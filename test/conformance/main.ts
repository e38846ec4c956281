/** `main.ts promql|logsql [--dir DIR] [--raise]`: runs the vectors of one language. */
const [language, ...args] = process.argv.slice(2)

interface Runner {
  readonly main: (args: readonly string[]) => Promise<number>
}

const runners: Readonly<Record<string, string>> = { promql: './promql.ts', logsql: './logsql.ts' }

const path = language !== undefined && Object.hasOwn(runners, language) ? runners[language] : undefined
if (path === undefined) {
  console.error(`usage: conformance ${Object.keys(runners).join('|')} [--dir DIR] [--raise]`)
  process.exitCode = 2
} else {
  const runner = (await import(path)) as Runner
  process.exitCode = await runner.main(args)
}
