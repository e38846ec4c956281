import { instantOf, rowOf, type TextForm } from './form.ts'

/** A run of apt; the lines behind its first one, without a time that a record begins with, belong to it. */
export const aptForm: TextForm = {
  name: 'apt history',
  starts: 'a',
  read: (line, context) => {
    const found = /^Start-Date: (\d{4}-\d\d-\d\d) {1,2}(\d\d:\d\d:\d\d)$/.exec(line.slice(0, 64))
    const time = found === null ? undefined : instantOf(`${found[1]} ${found[2]}`, context)
    return time === undefined ? undefined : rowOf({ _time: time, app: 'apt', workload: 'apt' })
  },
}
