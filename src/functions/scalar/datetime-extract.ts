import { datePart, dateParts } from './date-parts.ts'
import type { ScalarFunction } from '../definition.ts'
import { toText, toTimeNs } from '../../data/index.ts'
import { doc } from './define.ts'

/**
 * Returns a part of a time in UTC as an integer. The result is missing if the value is not a time, or the part is
 * unknown.
 */
export const datetimeExtract: ScalarFunction = {
  name: 'datetime-extract',
  aliases: [],
  signature: { params: [], minArgs: 2, maxArgs: 2 },
  returns: () => 'integer',
  evaluate: ([time = null, part = null]) => {
    const ns = toTimeNs(time)
    return ns === undefined ? null : (datePart(toText(part))?.(ns) ?? null)
  },
  doc: doc(
    'A part of a time in UTC, such as its year or its hour.',
    '* | datetime_extract hour from _time as hour | fields hour | limit 3',
    ['time', 'a time'],
    ['part', [...dateParts.keys()].join(', ')],
  ),
}
