import type { JSX } from 'preact'
import { count, percent } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { parseJsonPlain, printJsonExact } from '../../../data/index.ts'
import type { JsonObject } from '../../forms/model.ts'
import { LongText } from '../../widgets/labels.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { useSettled } from '../../widgets/use-settled.ts'
import { countSeen, restrictionOf, restrictionWords, scopeKinds, type Restriction, type ScopeKind } from './policies.ts'

const words = texts.policies

function Count({ kind, restriction }: { readonly kind: ScopeKind; readonly restriction: Restriction }): JSX.Element {
  const { ask } = useServices()
  const asked = useSettled(printJsonExact(restriction))
  const { answer, failure } = useAnswer(
    async (signal) => ({ seen: await countSeen(ask, kind, parseJsonPlain(asked) as Restriction, signal) }),
    [kind, asked],
  )
  if (failure !== undefined) return <p class="note">{words.notCounted(failure.message)}</p>
  if (answer === undefined) return <p class="note">{texts.rows.loading}</p>
  if (answer.seen === undefined) return <p class="note">{words.noCount}</p>
  const { visible, all } = answer.seen
  return (
    <>
      <div class="share" aria-hidden="true">
        <span style={{ width: visible === 0 ? '0' : percent(visible, all) }} />
      </div>
      <p class="note">{words.seen(count(visible), count(all))}</p>
    </>
  )
}

/** Preview of a policy for each kind of data: its filter in words, and how many rows of the last hour it allows. */
export function PolicyPreview({ form }: { readonly form: JsonObject }): JSX.Element {
  return (
    <section class="preview" aria-label={words.preview}>
      <h2>{words.preview}</h2>
      <dl class="seen">
        {scopeKinds.map((kind) => {
          const restriction = restrictionOf(form['dataScope'], kind)
          return (
            <div key={kind}>
              <dt>{words.kinds[kind]}</dt>
              <dd>
                <LongText text={restrictionWords(restriction)} />
                <Count kind={kind} restriction={restriction} />
              </dd>
            </div>
          )
        })}
      </dl>
      <p class="note">{words.previewNote}</p>
    </section>
  )
}
