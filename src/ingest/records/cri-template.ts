import { Bytes } from '../../base/index.ts'
import type { RecordTemplate } from '../../store/index.ts'
import { CRI, TIME_NAMES } from '../text/index.ts'

/**
 * Returns the template of a line that a container runtime has wrapped. `inner` returns the template of the program's
 * line, which begins at `from`. If the program's line has no time, the record gets the time of the runtime.
 */
export function criTemplate(
  line: string,
  inner: (from: number) => RecordTemplate | undefined,
): RecordTemplate | undefined {
  const found = CRI.exec(line.slice(0, 96))
  // A line with the tag P continues in the next line.
  if (found?.[3] !== 'F') return undefined
  const [head, time = '', stream = ''] = found
  const template = inner(head.length)
  if (template === undefined) return undefined
  const { members, wholeLine, constants } = template
  const names = new Set(members.map(({ name }) => name))
  if (names.has('stream')) return undefined
  return {
    ...template,
    members: [
      {
        name: TIME_NAMES.some((name) => names.has(name)) ? '' : '_time',
        literal: Bytes.from(head),
        digits: [0, time.length],
        syntax: { kind: 'fixed', before: head.length, length: time.length },
      },
      ...members,
    ],
    constants: new Map([...(constants ?? []), ['stream', stream]]),
    wholeLine: wholeLine === undefined ? undefined : { ...wholeLine, from: wholeLine.from + head.length },
    origin: stream,
  }
}
