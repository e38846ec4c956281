import { sizeText } from '../../../base/index.ts'
import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count, milliseconds } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import type { PlanNode } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { useLatest } from '../../widgets/use-latest.ts'
import type { Shown } from './search.ts'

function Step({ node, slowestMs }: { readonly node: PlanNode; readonly slowestMs: number }): JSX.Element {
  const { label, owner, notes, estimateRows, measured, inputs } = node
  const touched = measured?.counters['bytesTouched']
  return (
    <li>
      <div class="step">
        <span class="label">{label}</span>
        <span class="owner">{owner}</span>
        {measured !== undefined ? (
          <span class="measure">
            {count(measured.rows)} {texts.explain.rows} · {milliseconds(measured.milliseconds)}
            {touched !== undefined && ` · ${sizeText(touched)}`}
          </span>
        ) : (
          estimateRows !== undefined && (
            <span class="measure">
              ~{count(Math.round(estimateRows))} {texts.explain.rows} ({texts.explain.estimated})
            </span>
          )
        )}
      </div>
      {measured !== undefined && slowestMs > 0 && (
        <div class="cost" style={{ width: `${Math.min(100, (100 * measured.milliseconds) / slowestMs)}%` }} />
      )}
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      {inputs.length > 0 && (
        <ul>
          {inputs.map((input, i) => (
            <Step key={i} node={input} slowestMs={slowestMs} />
          ))}
        </ul>
      )}
    </li>
  )
}

function slowest({ measured, inputs }: PlanNode): number {
  return Math.max(measured?.milliseconds ?? 0, ...inputs.map(slowest))
}

/** Query plan as a tree, with estimates or measurements, and warnings in words. */
export function ExplainView({ shown }: { readonly shown: Shown }): JSX.Element {
  const { ask } = useServices()
  const { domain, query, dialect } = shown.view
  const [isMeasured, setIsMeasured] = useState(false)
  const request = { domain, query: query === '' ? '*' : query, range: shown.range, dialect, analyze: isMeasured }
  const { answer, failure } = useAnswer(
    (signal) => ask('explain', request, { signal }),
    [ask, shown.answer, isMeasured],
  )
  const found = useLatest(answer)
  if (failure !== undefined) return <Failure failure={failure} query={query} />
  return (
    <section class="explain" aria-busy={found === undefined}>
      <button type="button" class="button" disabled={isMeasured} onClick={() => setIsMeasured(true)}>
        {texts.explain.run}
      </button>
      {found !== undefined && (
        <>
          <ul class="plan">
            <Step node={found.tree} slowestMs={slowest(found.tree)} />
          </ul>
          <h2>{texts.explain.warnings}</h2>
          {found.warnings.length === 0 ? (
            <p class="note">{texts.explain.none}</p>
          ) : (
            <ul>
              {found.warnings.map(({ code, message }) => (
                <li key={code + message}>{message}</li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  )
}
