import { isEmptyValue, toText } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { readUnwrapped, type UnwrapConversion } from '../logql/units.ts'

/** Reads a number from a label, like `unwrap` in LogQL. */
export const logqlNumber: ScalarFunction = {
  name: 'logql-number',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: 2 },
  returns: () => 'number',
  isMathCall: false,
  evaluate: ([value = null, conversion = null]) => {
    if (isEmptyValue(value)) return null
    // Without a conversion, parsing the number's text would give the same number.
    if (typeof value === 'number' && conversion === null) return value
    const found = readUnwrapped(toText(value), (conversion ?? undefined) as UnwrapConversion | undefined)
    return typeof found === 'number' ? found : null
  },
  doc: {
    summary: 'The number that `unwrap` of LogQL reads from a label; missing when the text is none.',
    parameters: [
      { name: 'label', text: 'the text of the label' },
      { name: 'conversion', text: '`bytes`, `duration` or `duration_seconds`; none for plain numbers' },
    ],
    examples: [],
  },
}
