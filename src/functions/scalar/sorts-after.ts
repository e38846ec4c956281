import { compareSortKey } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc } from './define.ts'

/** True if a row sorts after given values. Arguments come in groups of three: field, value, and `asc` or `desc`. */
export const sortsAfter: ScalarFunction = {
  name: 'sorts_after',
  aliases: [],
  signature: { params: [], minArgs: 3, maxArgs: Infinity },
  returns: () => 'bool',
  isMathCall: false,
  evaluate: (args) => {
    for (let i = 0; i + 2 < args.length; i += 3) {
      const order = compareSortKey(args[i] ?? null, args[i + 1] ?? null, args[i + 2] === 'desc' ? 'desc' : 'asc')
      if (order !== 0) return order > 0
    }
    return false
  },
  doc: doc(
    'Whether a row stands behind one with these values in an order.',
    '* | sort by (duration_ms desc, pod) after (500, "shop-1") limit 3',
    ['field', 'a key of the order'],
    ['value', 'its value where the page before ended'],
    ['direction', '`asc` or `desc`'],
  ),
}
