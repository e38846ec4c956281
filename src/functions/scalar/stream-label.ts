import { isEmptyValue, parseStreamName, toText } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc } from './define.ts'

/** Reads a label from a stream name. For stream filters after a stage that wrote `_stream`. */
export const streamLabel: ScalarFunction = {
  name: 'stream-label',
  aliases: [],
  signature: { params: [], minArgs: 2, maxArgs: 2 },
  returns: () => 'string',
  evaluate: ([name = null, label = null]) => {
    if (isEmptyValue(name)) return null
    const wanted = toText(label)
    return parseStreamName(toText(name))?.find(([each]) => each === wanted)?.[1] ?? null
  },
  doc: doc(
    'The value of one label in the name of a stream; missing when the stream does not have it.',
    '* | set_stream_fields workload | filter {workload="checkout-api"}',
    ['name', 'the name of the stream'],
    ['label', 'the label'],
  ),
}
