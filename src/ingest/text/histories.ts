import { instantOf, rowOf, type TextForm } from './form.ts'
import { wholeOf } from './cursor.ts'

/** The history of bash: `#seconds`, and below it the command, which is joined to it. */
export const bashForm: TextForm = {
  name: 'bash history',
  starts: '#',
  read: (line, context) => {
    const time = /^#\d{10}$/.test(line) ? instantOf(line.slice(1), context) : undefined
    return time === undefined ? undefined : rowOf({ _time: time })
  },
}

/** The extended history of zsh: `: seconds:duration;command`. */
export const zshForm: TextForm = {
  name: 'zsh history',
  starts: ':',
  read: (line, context) => {
    const found = /^: (\d{10}):(\d{1,10});/.exec(line.slice(0, 32))
    if (found === null) return undefined
    const [head, time, seconds] = found
    return rowOf({
      _time: instantOf(time, context),
      duration_ms: (wholeOf(seconds) ?? 0) * 1000,
      content: line.slice(head.length),
    })
  },
}
