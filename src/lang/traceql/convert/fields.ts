import type { Span } from '../../../base/index.ts'
import type { FieldRef as LogField } from '../../log/index.ts'
import { noCounterpart } from '../../log/index.ts'
import type { FieldRef, IntrinsicName } from '../ast.ts'

/** Columns of the span table, by intrinsic. The missing intrinsics need the whole trace, or are lists. */
const FIELDS: Readonly<Partial<Record<IntrinsicName, string>>> = {
  name: 'span_name',
  status: 'status',
  statusMessage: 'status_message',
  kind: 'kind',
  duration: 'duration_seconds',
  'trace:id': 'trace_id',
  'span:id': 'span_id',
  'span:parentID': 'parent_span_id',
  'instrumentation:name': 'scope.name',
  'instrumentation:version': 'scope.version',
}

/** Notes for the user that are collected during a conversion. */
export class Notes {
  readonly #texts = new Set<string>()

  add(text: string): void {
    this.#texts.add(text)
  }

  list(): readonly string[] {
    return [...this.#texts]
  }
}

export function logField(name: string, span: Span): LogField {
  return { parts: [name], span }
}

/** Returns the column that contains a field's value. Throws `convert/no-counterpart` if there is none. */
export function fieldOf(field: FieldRef, notes: Notes): LogField {
  const { span } = field
  if (field.kind === 'intrinsic') {
    const name = FIELDS[field.name]
    return name === undefined
      ? noCounterpart(
          span,
          `\`${field.name}\``,
          'It depends on the whole trace, or is one of a list. Ask in TraceQL itself.',
        )
      : logField(name, span)
  }
  const { scope, name } = field
  if (scope !== 'none' && scope !== 'span' && scope !== 'resource')
    return noCounterpart(
      span,
      `the scope \`${scope}\``,
      'Attributes of events, links and scopes are no fields. Ask in TraceQL itself.',
    )
  notes.add(
    'Attributes are fields without scopes and types: where a span and its resource have one name, the field is that of the span; the text "5" equals the number 5; a list is one text.',
  )
  return logField(name, span)
}
