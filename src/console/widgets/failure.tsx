import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import type { AskFailure, Diagnostic, Fix } from '../ask/requests.ts'
import { SignInDialog } from '../app/sign-in.tsx'
import { texts } from '../app/texts.ts'

/** Applies the edits of a fix, which do not overlap, to a text. */
export function applied(text: string, { edits }: Fix): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((sofar, { start, end, text: inserted }) => sofar.slice(0, start) + inserted + sofar.slice(end), text)
}

interface Props {
  readonly failure: AskFailure
  /** Query text that the diagnostics refer to. */
  readonly query?: string
  readonly onFix?: (text: string) => void
  readonly onRetry?: () => void
}

function ErrorLine({ query, diagnostic: { span } }: { readonly query: string; readonly diagnostic: Diagnostic }) {
  if (span === undefined || query === '') return null
  return (
    <pre class="place">
      {query.slice(0, span.start)}
      <mark>{query.slice(span.start, Math.max(span.end, span.start + 1)) || ' '}</mark>
      {query.slice(Math.max(span.end, span.start + 1))}
    </pre>
  )
}

/** Shows why a request failed, marks the faulty part of the query, and offers remedies. */
export function Failure({ failure, query = '', onFix, onRetry }: Props): JSX.Element {
  const { message, diagnostics, traceId } = failure
  const [isAsked, setIsAsked] = useState(false)
  return (
    <section class="failure" role="alert">
      {diagnostics.length === 0 && <p class="message">{message}</p>}
      {diagnostics.map((diagnostic) => (
        <div class="diagnostic" key={`${diagnostic.code} ${diagnostic.span?.start ?? ''}`}>
          <p class="message">{diagnostic.message}</p>
          <ErrorLine query={query} diagnostic={diagnostic} />
          {diagnostic.notes.map((note) => (
            <p class="note" key={note}>
              {note}
            </p>
          ))}
          {onFix !== undefined && diagnostic.fixes.length > 0 && (
            <p class="fixes">
              {diagnostic.fixes.map((fix) => (
                <button type="button" class="button" key={fix.title} onClick={() => onFix(applied(query, fix))}>
                  {fix.title}
                </button>
              ))}
            </p>
          )}
        </div>
      ))}
      {failure.kind === 'signed-out' && (
        <button type="button" class="button primary" onClick={() => setIsAsked(true)}>
          {texts.signIn.submit}
        </button>
      )}
      {isAsked && (
        <SignInDialog
          message=""
          onDone={() => {
            setIsAsked(false)
            onRetry?.()
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
      {onRetry !== undefined && failure.kind !== 'query' && failure.kind !== 'signed-out' && (
        <button type="button" class="button" onClick={onRetry}>
          {texts.errors.again}
        </button>
      )}
      {traceId !== undefined && failure.kind !== 'query' && <p class="note">{texts.errors.traceId(traceId)}</p>}
    </section>
  )
}
