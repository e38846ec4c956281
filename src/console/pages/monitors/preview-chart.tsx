import { useMemo, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { durationWords } from '../../app/time-words.ts'
import { printJsonExact } from '../../../data/index.ts'
import type { JsonObject } from '../../forms/model.ts'
import { Failure } from '../../widgets/failure.tsx'
import { TimeChart } from '../../widgets/time-chart.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { firstQuery, previewOf, thresholdLines } from './preview.ts'

function Chart({ definition }: { readonly definition: JsonObject }): JSX.Element {
  const { ask } = useServices()
  const key = printJsonExact(definition)
  const { answer, failure, reload } = useAnswer(
    async (signal) => ({ preview: await previewOf(definition, { ask, signal, nowMs: Date.now() }) }),
    [key],
  )
  const preview = answer?.preview
  const series = useMemo(
    () => (preview === undefined ? [] : [...thresholdLines(definition, preview.timesMs.length), ...preview.series]),
    [preview, key],
  )
  if (failure !== undefined) return <Failure failure={failure} onRetry={reload} />
  if (answer === undefined) return <p class="note">{texts.rows.loading}</p>
  if (preview === undefined) return <p class="note">{texts.monitors.noPreview}</p>
  const window = durationWords(preview.windowMs)
  return (
    <>
      <TimeChart timesMs={preview.timesMs} series={series} label={texts.monitors.preview} />
      <p class="note">
        {preview.kind === 'all'
          ? texts.monitors.previewAll(window)
          : texts.monitors.previewWindows(count(preview.timesMs.length), window)}
        {preview.series.length === 0 && ` ${texts.monitors.previewEmpty}`}
        {preview.isCut && ` ${texts.monitors.previewCut}`}
        {preview.hidden > 0 && ` ${texts.monitors.previewHidden(count(preview.hidden))}`}
      </p>
    </>
  )
}

/**
 * Chart of a monitor's first query over the last day, with the thresholds. While editing, it is computed only after a
 * click.
 */
export function PreviewChart(props: { readonly definition: JsonObject; readonly isAtOnce?: boolean }): JSX.Element {
  const { definition, isAtOnce = false } = props
  const [asked, setAsked] = useState<JsonObject | undefined>(isAtOnce ? definition : undefined)
  const shown = isAtOnce ? definition : asked
  const hasQuery = firstQuery(definition) !== undefined
  return (
    <section class="preview" aria-label={texts.monitors.preview}>
      <header>
        <h2>{texts.monitors.preview}</h2>
        {!isAtOnce && hasQuery && (
          <button type="button" class="button" onClick={() => setAsked({ ...definition })}>
            {texts.monitors.showPreview}
          </button>
        )}
      </header>
      {!hasQuery ? (
        <p class="note">{texts.monitors.noQuery}</p>
      ) : shown === undefined ? (
        <p class="note">{texts.monitors.previewHint}</p>
      ) : (
        <Chart definition={shown} />
      )}
    </section>
  )
}
