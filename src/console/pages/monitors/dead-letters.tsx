import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { readOnlyReason } from '../../app/rights.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { LongText } from '../../widgets/labels.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { deadLetters, resend } from './monitors.ts'

const words = texts.monitors.letters

/** Lists notifications whose delivery was given up, latest first, with a button to send each again. */
export function DeadLetters(): JSX.Element | null {
  const { ask } = useServices()
  const { answer, reload } = useAnswer((signal) => deadLetters(ask, signal), [ask])
  const [said, setSaid] = useState('')
  if (answer === undefined || (answer.length === 0 && said === '')) return null
  const again = async (id: string): Promise<void> => {
    try {
      await resend(ask, id)
      setSaid(words.sent)
      reload()
    } catch (error) {
      setSaid(failureOf(error).message)
    }
  }
  return (
    <section class="resource-section" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="note">{words.note}</p>
      <p role="status">{said}</p>
      <ul class="cards">
        {answer.toReversed().map(({ id, receiver, status, at, reason, alerts }) => (
          <li key={id} class="card">
            <div class="card-head">
              <strong>{receiver}</strong>
              <span class="note">
                {shortTime(Date.parse(at))} · {words.alerts(status, alerts)}
              </span>
              {readOnlyReason('write') === undefined && (
                <button type="button" class="button" onClick={() => void again(id)}>
                  {words.resend}
                </button>
              )}
            </div>
            <LongText text={reason} />
          </li>
        ))}
      </ul>
    </section>
  )
}
