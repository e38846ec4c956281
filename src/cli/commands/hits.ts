import { statSync } from 'node:fs'
import { SECOND_NS, CommandError, formatDurationNs, parseDurationNs } from '../../base/index.ts'
import { printerOf } from '../../lang/log/index.ts'
import type { CommandModule } from '../command.ts'
import { textOf } from '../output/index.ts'
import type { Terminal } from '../terminal.ts'
import { checkQueryIsNoFile, queryArgument, shellText } from '../options/query-argument.ts'
import { behind, filterRule, whereOption } from '../options/where-option.ts'
import { queryFiles } from './query.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'

interface HitsArguments extends QueryArguments {
  readonly step?: string
  readonly by?: string
  readonly where?: string
}

/** Usual step widths, s. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_592_000]
const MOST_STEPS = 60n

/** Returns the smallest usual width with which a range has at most 60 steps. */
function stepFor(rangeNs: bigint): bigint {
  const widths = STEPS.map((seconds) => BigInt(seconds) * SECOND_NS)
  return widths.find((widthNs) => rangeNs / widthNs < MOST_STEPS) ?? rangeNs / MOST_STEPS
}

/** Returns an input that cannot be read twice, such as standard input; `undefined` if there is none. */
function readOnce(files: readonly string[]): string | undefined {
  if (files.length === 0) return '-'
  return files.find((path) => path === '-' || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true)
}

/** Returns the time from the first to the last matching row, ns. Reads all files. */
async function extentNs(query: string, files: readonly string[], options: HitsArguments, terminal: Terminal) {
  let answer = ''
  const countOptions: QueryArguments = { ...options, format: 'ndjson', explain: false, stats: false, quiet: true }
  const stage = 'stats min(_time) as first, max(_time) as last | math last - first as extent | fields extent'
  await queryFiles(behind(query, stage), files, countOptions, {
    ...terminal,
    isErrorTty: false,
    write: async (text) => {
      answer += textOf(text)
    },
  })
  const { extent } = JSON.parse(answer) as { readonly extent: number | null }
  return BigInt(Math.max(0, Math.round(extent ?? 0)))
}

/** Separates the query from the files. With `--where`, as in `values` and `fields`, every argument is a file. */
function askedOf(
  args: readonly string[],
  where: string | undefined,
): readonly [query: string, files: readonly string[]] {
  const [query, ...files] = args
  if (where !== undefined) return [where, args]
  if (query === undefined) throw new CommandError("The query is missing: sluice hits 'level:error' FILE")
  return [query, files]
}

async function run(args: readonly string[], options: HitsArguments, terminal: Terminal): Promise<void> {
  const [query, files] = askedOf(args, options.where)
  const hasTables = options.catalog !== undefined || options.data !== undefined || options.server !== undefined
  checkQueryIsNoFile('hits', query, files, hasTables)
  const once = hasTables ? undefined : readOnce(files)
  if (options.step === undefined && once !== undefined)
    throw new CommandError(
      `--step is needed for ${once === '-' ? 'standard input' : once}, which is read only once: sluice hits ${shellText([query, ...files])} --step 1m`,
    )
  const stepNs =
    options.step === undefined
      ? stepFor(await extentNs(query, files, options, terminal))
      : parseDurationNs(options.step.trim())
  if (stepNs === undefined || stepNs <= 0n)
    throw new CommandError(`--step needs a duration such as 5m, not \`${options.step ?? ''}\`.`)
  const by = options.by === undefined ? '' : `, ${printerOf('native').text(options.by)}`
  // Only the native dialect has `fill`.
  const fill = options.dialect === 'native' ? ' fill' : ''
  const stage = `stats by (_time:${formatDurationNs(stepNs)}${fill}${by}) count() as hits | sort by (_time${by})`
  await queryFiles(behind(query, stage), files, options, terminal)
}

export const define: CommandModule['define'] = (command, terminal) => {
  queryArgument(whereOption(queryOptions(command)), `what is counted; left out with --where. ${filterRule}`, '[query]')
    .argument('[files...]', filesHelp)
    .option(
      '--step <duration>',
      'width of a step, such as 5m; else such that there are at most 60. Steps without rows between others have 0, in the native dialect',
    )
    .option('--by <field>', 'count each value of this field separately')
    .action((query: string | undefined, files: string[], options: HitsArguments) =>
      run(query === undefined ? files : [query, ...files], options, terminal),
    )
}
