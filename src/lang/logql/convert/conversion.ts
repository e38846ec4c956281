import type { Span } from '../../../base/index.ts'
import { labelName } from '../../../functions/logql/index.ts'
import { noCounterpart, type FieldRef } from '../../log/index.ts'
import type { LogqlTable } from '../table.ts'

/** State of a conversion: the table that the query reads, and notes for the user. */
export class Conversion {
  readonly table: LogqlTable
  readonly #notes = new Set<string>()

  constructor(table: LogqlTable) {
    this.table = table
  }

  get notes(): readonly string[] {
    return [...this.#notes]
  }

  note(text: string): void {
    this.#notes.add(text)
  }

  /** Returns the field that contains the line. */
  line(span: Span): FieldRef {
    return { parts: [this.table.textField], span }
  }

  /**
   * Returns the field of a label. Throws if several fields may contain the label, or if the name means another column
   * in the log language.
   */
  field(label: string, span: Span): FieldRef {
    const { aliases, discovered, timeField, textField } = this.table
    const found = discovered.find((each) => each.label === label)
    if (found !== undefined) {
      const [, field = label] = found.fields
      return noCounterpart(span, `the label \`${label}\` here, which Loki discovers`, `Use the field \`${field}\`.`)
    }
    const field = aliases.get(label)
    if (field !== undefined || label === timeField || label === textField)
      return noCounterpart(
        span,
        `the label \`${label}\``,
        `Here \`${label}\` is a name of the column \`${field ?? label}\`. Give the label another name in the line.`,
      )
    const known = this.#streamField(label)
    if (known === undefined && label.includes('_'))
      this.note(
        `\`${label}\` is the field of that name; a field such as \`${label.replace('_', '.')}\` is another one.`,
      )
    return { parts: [known ?? label], span }
  }

  isStreamField(label: string): boolean {
    return this.#streamField(label) !== undefined
  }

  #streamField(label: string): string | undefined {
    return this.table.streamFields.find((name) => labelName(name) === label)
  }
}
