import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { breaks, oracles, printCase, queryText, readCase, runFuzz, type FuzzReport } from '../../fuzz/index.ts'
import type { CommandModule } from '../command.ts'
import { CommandError, type Terminal } from '../terminal.ts'
import {
  addFuzzOptions,
  runVocabulary,
  seedSummary,
  type FuzzArguments,
  type Vocabulary,
  wholeNumber,
} from './fuzz-run.ts'

interface TextArguments extends FuzzArguments {
  readonly replay?: string
  readonly shrink: boolean
  readonly minRows: string
}

const texts = ({ shrink, minRows }: TextArguments): Vocabulary<FuzzReport> => ({
  isSelective: true,
  run: (options) => runFuzz({ ...options, shrinks: shrink, minRows: wholeNumber(minRows, '--min-rows') }),
  failureText: (failure) => {
    const dialect = failure.dialect === 'logsql' ? ' (logsql)' : ''
    return `${failure.oracle}, seed ${failure.seed}${dialect}: ${queryText(failure)}\n  ${failure.message}`
  },
  keptFile: (failure, index) => ({
    name: `${failure.oracle}-${failure.seed}-${index}.json`,
    text: printCase(failure),
  }),
  summary: seedSummary('cases'),
})

async function run(options: TextArguments, terminal: Terminal): Promise<void> {
  await runVocabulary(texts(options), options, terminal)
}

async function replay(file: string, terminal: Terminal): Promise<void> {
  const kept = readCase(readFileSync(file, 'utf8'))
  const found = oracles.find(({ oracle }) => oracle.name === kept.oracle)?.oracle
  if (found === undefined) throw new CommandError(`The law \`${kept.oracle}\` of ${file} is not known.`)
  const message = await breaks(found, kept, 1)
  if (message !== undefined) throw new CommandError(`${kept.oracle} is broken: ${message}`, 1)
  await terminal.write(`${kept.oracle} holds for ${queryText(kept)}\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addFuzzOptions(command)
    .option('--no-shrink', 'leave failures as they are')
    .option('--min-rows <n>', 'rows of each data set at least', '0')
    .option('--replay <file>', 'check one kept failure instead')
    .action((options: TextArguments) =>
      options.replay === undefined ? run(options, terminal) : replay(options.replay, terminal),
    )
}
