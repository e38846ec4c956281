/**
 * Command `main.ts promql|logsql|logql|traceql|alerts [--dir DIR] [--raise] [--rename-seed N]`: runs the vectors of one
 * language.
 */
import { parseArgs } from 'node:util'
import type { VectorSet } from './report.ts'

const loaders: Readonly<Record<string, () => Promise<VectorSet>>> = {
  promql: async () => (await import('./promql.ts')).promqlVectors,
  logsql: async () => (await import('./logsql.ts')).logsqlVectors,
  logql: async () => (await import('./logql.ts')).logqlVectors,
  traceql: async () => (await import('./traceql.ts')).traceqlVectors,
  alerts: async () => (await import('./alerts.ts')).alertVectors,
}

function misuse(text: string): number {
  console.error(text)
  console.error(`usage: conformance ${Object.keys(loaders).join('|')} [--dir DIR] [--raise] [--rename-seed N]`)
  return 2
}

async function main(): Promise<number> {
  const options = { dir: { type: 'string' }, raise: { type: 'boolean' }, 'rename-seed': { type: 'string' } } as const
  let parsed
  try {
    parsed = parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return misuse(error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  const language = positionals[0] ?? ''
  const load = Object.hasOwn(loaders, language) ? loaders[language] : undefined
  if (load === undefined || positionals.length > 1) return misuse('one language is needed')
  const seed = values['rename-seed'] === undefined ? undefined : Number(values['rename-seed'])
  if (seed !== undefined && !(language === 'logsql' && Number.isSafeInteger(seed)))
    return misuse('--rename-seed takes a whole number, for logsql')
  const { report } = await import('./report.ts')
  return report(await load(), { dir: values.dir, isRaising: values.raise ?? false, seed }, console.log)
}

process.exitCode = await main()
