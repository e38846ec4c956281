import { isEmptyValue, printStreamName, toText, type Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc } from './define.ts'

/** Yields pairs of label and value; the arguments alternate between both. */
function* labelsOf(args: readonly Value[]): Generator<readonly [string, string]> {
  for (let i = 1; i + 1 < args.length; i += 2) yield [toText(args[i] ?? null), toText(args[i + 1] ?? null)]
}

/** Computes `_stream`: the stored string of that name if there is one, else the stream fields as one string. */
export const streamName: ScalarFunction = {
  name: 'stream-name',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'string',
  hasFewArguments: true,
  evaluate: (args) => {
    const [stored = null] = args
    return isEmptyValue(stored) ? printStreamName(labelsOf(args)) : toText(stored)
  },
  doc: doc(
    'The fields that make up the stream of a row, as one text.',
    '* | stats by (_stream) count() as n | limit 3',
    ['stored', 'the text to prefer'],
    ['name, value', 'each field of the stream'],
  ),
}
