import { present } from '../../../src/base/index.ts'
import type { LoadModule } from '../../../src/server/index.ts'

/** Applies the command in a body to the logs table after the body is in the log. */
export const load: LoadModule['load'] = (targets, data, tell) => {
  tell(data)
  const table = present(targets.get('default')).store.table('logs')
  const append = table.writer.appendJsonLines.bind(table.writer)
  table.writer.appendJsonLines = (bytes, options) => {
    const text = Buffer.from(bytes).toString()
    if (text.includes('"play":"throw"')) throw new Error('on purpose')
    if (text.includes('"play":"spin"')) for (;;);
    if (text.includes('"play":"eat"')) {
      const eaten: unknown[] = []
      for (;;) eaten.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
    }
    return append(bytes, options)
  }
}
