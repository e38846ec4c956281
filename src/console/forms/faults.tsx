import type { JSX } from 'preact'
import type { Diagnostic } from '../ask/requests.ts'
import { applied } from '../widgets/failure.tsx'

interface Props {
  readonly id?: string
  /** Error found by the page itself. */
  readonly message: string | undefined
  /** Errors found by the server. */
  readonly diagnostics: readonly Diagnostic[]
  /** Text that the spans of the diagnostics refer to. */
  readonly text: string
  readonly onFix?: ((text: string) => void) | undefined
}

/** Shows the errors of a field, with the faulty part of its text, and offers fixes. */
export function Faults({ id, message, diagnostics, text, onFix }: Props): JSX.Element | null {
  if (message === undefined && diagnostics.length === 0) return null
  return (
    <div class="field-faults" id={id}>
      {message !== undefined && <p class="fault">{message}</p>}
      {diagnostics.map((each) => {
        const { span } = each
        const end = span === undefined ? 0 : Math.max(span.end, span.start + 1)
        return (
          <div key={`${each.code} ${span?.start ?? ''}`}>
            <p class="fault">{each.message}</p>
            {span !== undefined && text !== '' && (
              <pre class="place">
                {text.slice(0, span.start)}
                <mark>{text.slice(span.start, end) || ' '}</mark>
                {text.slice(end)}
              </pre>
            )}
            {/* oxlint-disable-next-line typescript/no-unnecessary-condition -- a server leaves empty lists out */}
            {(each.notes ?? []).map((note) => (
              <p class="note" key={note}>
                {note}
              </p>
            ))}
            {onFix !== undefined &&
              (each.fixes ?? []).map((fix) => (
                <button type="button" class="button" key={fix.title} onClick={() => onFix(applied(text, fix))}>
                  {fix.title}
                </button>
              ))}
          </div>
        )
      })}
    </div>
  )
}
