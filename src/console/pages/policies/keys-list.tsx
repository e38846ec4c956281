import type { JSX } from 'preact'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { Failure } from '../../widgets/failure.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'

interface Key {
  readonly key: string
  readonly user?: string
  readonly roles: readonly string[]
  readonly usedAt?: string
}

const words = texts.policies.keys

/** Lists the keys, whose users can be given policies. Keys are created and removed on the command line. */
export function KeysList(): JSX.Element {
  const { ask } = useServices()
  const { answer, failure } = useAnswer(
    (signal) => ask('json', { method: 'GET', path: '/api/keys' }, { signal }),
    [ask],
  )
  const keys = (answer?.body ?? []) as readonly Key[]
  return (
    <section class="resource-section" aria-label={words.title} tabIndex={0}>
      <h2>{words.title}</h2>
      {failure !== undefined && <Failure failure={failure} />}
      <table class="groups">
        <thead>
          <tr>
            {words.columns.map((title) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map(({ key, user = '–', roles, usedAt }) => (
            <tr key={key}>
              {[user, key, roles.join(', '), usedAt === undefined ? '–' : shortTime(Date.parse(usedAt))].map(
                (cell, i) => (
                  <td key={i}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
