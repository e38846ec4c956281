import { Bytes } from '../../base/index.ts'
import type { RecordTemplate } from '../../store/index.ts'
import { textMarks } from '../text/index.ts'

/** The template of text that has no time, no level and no form. */
let template: RecordTemplate | undefined

/**
 * Returns the template of lines that are only text, for lines whose time comes from a container runtime; `undefined` if
 * the line may have fields.
 */
export function plainTemplate(line: Bytes): RecordTemplate | undefined {
  const automaton = textMarks()
  if (automaton.finds(line, 0, line.length)) return undefined
  return (template ??= {
    members: [{ name: '', literal: Bytes.alloc(0), syntax: { kind: 'without', automaton } }],
    end: Bytes.alloc(0),
    wholeLine: { name: 'content', from: 0 },
    staysOpen: true,
    mayContinue: true,
  })
}
