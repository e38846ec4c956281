import type { TimeContext } from '../data/index.ts'
import type { LineFormat } from './line-format.ts'
import { readForm, readPlain } from './text/index.ts'

/**
 * Lines of text, each for itself: `content` is the whole line, or the message of some forms; what `textForms` find in it
 * become fields, else a time at the start becomes `_time` and a level near the start `level`.
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
