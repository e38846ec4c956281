import type { TimeContext } from '../data/index.ts'
import type { LineFormat } from './line-format.ts'
import { readForm, readPlain } from './text/index.ts'

/**
 * Returns the format of text lines, each of which is one record. `content` is the whole line, or in some forms the
 * message. Fields found by `textForms` are added. If no form fits, a time at the start becomes `_time`, and a level
 * near the start becomes `level`.
 */
export function plainText(context: TimeContext): LineFormat {
  return {
    name: 'text',
    decode: (line) => {
      const row = readForm(line, context) ?? readPlain(line, context).row
      if (!row.has('content')) row.set('content', line)
      return row
    },
    resembles: () => 0.1,
  }
}
