import { parseArgs } from 'node:util'
import { StressMisuse, type StressRun } from './run.ts'

interface Entry {
  /** Question that the run answers, as in README.md. */
  readonly question: string
  readonly load: () => Promise<{ readonly stress: StressRun }>
}

export const stressRuns: Readonly<Record<string, Entry>> = {
  agents: {
    question: 'Do programs of other projects send to a server as their own documentation says?',
    load: () => import('./agents/main.ts'),
  },
  attacks: {
    question: 'Can one caller freeze, fill or kill a service?',
    load: () => import('./attacks/main.ts'),
  },
  cancel: {
    question: 'How much processor time does a query use after it was cancelled?',
    load: () => import('./cancel/main.ts'),
  },
  damage: {
    question: 'Is every damaged or forged file of a data folder refused by name, or read whole?',
    load: () => import('./damage/main.ts'),
  },
  differential: {
    question: 'Do running reference servers give the same answers?',
    load: () => import('./differential/main.ts'),
  },
  growth: {
    question: 'Does reading a hostile input take time in proportion to its length?',
    load: () => import('./growth/main.ts'),
  },
  injection: {
    question: 'Does a string of a caller ever become part of a statement or of code?',
    load: () => import('./injection/main.ts'),
  },
  'kill-alerts': {
    question: 'Does SIGKILL lose or double a notification of an alert?',
    load: () => import('./kill-alerts/main.ts'),
  },
  'kill-documents': {
    question: 'Does SIGKILL lose an acknowledged change of a monitor, silence or policy?',
    load: () => import('./kill-documents/main.ts'),
  },
  'kill-ingest': {
    question: 'Does SIGKILL lose, tear or double acknowledged rows and samples?',
    load: () => import('./kill-ingest/main.ts'),
  },
  'monitor-states': {
    question: 'Does any history of a monitor differ from the reference model of its states?',
    load: () => import('./monitor-states/main.ts'),
  },
  mutants: {
    question: 'Which mistakes in the source does no test notice?',
    load: () => import('./mutants/main.ts'),
  },
  sigterm: {
    question: 'Does SIGTERM leave an accepted request without its answer?',
    load: () => import('./soak/sigterm-main.ts'),
  },
  'small-sizes': {
    question: 'Are answers the same where every size that changes a path is a few rows?',
    load: () => import('./small-sizes/main.ts'),
  },
  soak: {
    question: 'Does a service under mixed load and kills lose rows, fail requests or grow?',
    load: () => import('./soak/main.ts'),
  },
}

const USAGE = 'usage: npm run stress -- NAME [--seed N] [--seconds N] [options of the run]'

export function listOfRuns(): string {
  const width = Math.max(...Object.keys(stressRuns).map(({ length }) => length))
  return Object.entries(stressRuns)
    .map(([name, { question }]) => `  ${name.padEnd(width)}  ${question}`)
    .join('\n')
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new StressMisuse(`--${name} takes a whole number, not ${JSON.stringify(text)}`)
  return value
}

async function runNamed({ load }: Entry, args: readonly string[], print: (line: string) => void): Promise<number> {
  const { stress } = await load()
  const own = Object.entries(stress.options ?? {}).map(
    ([option, kind]) => [option, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  )
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, seconds: { type: 'string' }, ...Object.fromEntries(own) },
  })
  const given: readonly (readonly [string, unknown])[] = Object.entries(values)
  const strings = new Map(given.flatMap(([option, value]) => (typeof value === 'string' ? [[option, value]] : [])))
  const seed = strings.get('seed') ?? `${Date.now() % 2 ** 30}`
  print(`seed ${seed}`)
  return stress.run({
    seed: numberOf('seed', seed),
    seconds: numberOf('seconds', strings.get('seconds') ?? `${stress.seconds}`),
    values: strings,
    flags: new Set(given.flatMap(([option, value]) => (value === true ? [option] : []))),
    print,
  })
}

/** Runs the stress run that the first argument names. Resolves with the exit code; 2 if the arguments are wrong. */
export async function runStress(args: readonly string[], print: (line: string) => void): Promise<number> {
  const [name, ...rest] = args
  const entry = Object.hasOwn(stressRuns, name ?? '') ? stressRuns[name ?? ''] : undefined
  if (entry === undefined) {
    const fault = name === undefined ? [] : [`There is no stress run ${JSON.stringify(name)}.`]
    print(
      [
        ...fault,
        USAGE,
        listOfRuns(),
        'Each folder of test/stress has the options of its run at the head of main.ts.',
      ].join('\n'),
    )
    return name === undefined ? 0 : 2
  }
  try {
    return await runNamed(entry, rest, print)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    const isMisuse = error instanceof StressMisuse || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
    if (!isMisuse) throw error
    print(`${(error as Error).message}\n${USAGE}`)
    return 2
  }
}
