import { isEmptyValue, streamIdOf, toText } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc } from './define.ts'

/** Computes `_stream_id`: the stored string of that name if there is one, else a hash of the stream name. */
export const streamId: ScalarFunction = {
  name: 'stream-id',
  aliases: [],
  signature: { params: [], minArgs: 2, maxArgs: 2 },
  returns: () => 'string',
  hasFewArguments: true,
  evaluate: ([stored = null, name = null]) => {
    if (!isEmptyValue(stored)) return toText(stored)
    return isEmptyValue(name) ? null : streamIdOf(toText(name))
  },
  doc: doc(
    'An id of the stream of a row: 16 hexadecimal digits, the hash of its name.',
    '* | stats by (_stream_id) count() as n | limit 3',
    ['stored', 'the id to prefer'],
    ['name', 'the name of the stream'],
  ),
}
