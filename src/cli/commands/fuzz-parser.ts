import type { Command } from 'commander'
import { runParserFuzz, type ParserFuzzReport } from '../../fuzz/parser/index.ts'
import type { CommandModule } from '../command.ts'
import { addFuzzOptions, percent, runVocabulary, type FuzzArguments, type Vocabulary } from './fuzz-run.ts'

const parser: Vocabulary<ParserFuzzReport> = {
  run: runParserFuzz,
  failureText: ({ seed, reading, text, message }) =>
    `${reading.dialect}, seed ${seed}: ${JSON.stringify(text)}\n  ${message}`,
  summary: ({ cases, failures, sound, slowestMs }) => ({
    lines: [],
    sentence: `${cases} texts, ${failures.length} faults, ${percent(sound, cases)} % sound, the slowest ${slowestMs.toFixed(1)} ms`,
  }),
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addFuzzOptions(command).action((options: FuzzArguments) => runVocabulary(parser, options, terminal))
}
