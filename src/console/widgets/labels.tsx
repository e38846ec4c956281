import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { count } from '../app/numbers.ts'
import { texts } from '../app/texts.ts'

/** Number of characters of a value that are shown before a click: about a line. */
const SHORT_CHARS = 120

/** A text that is shortened until it is clicked, if it is long. */
export function LongText({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setIsWhole] = useState(false)
  if (isWhole || text.length <= SHORT_CHARS) return <span class="long-text">{text}</span>
  return (
    <span class="long-text">
      {text.slice(0, SHORT_CHARS)}…{' '}
      <button type="button" class="link" onClick={() => setIsWhole(true)}>
        {texts.edit.whole(count(text.length))}
      </button>
    </span>
  )
}

/** Labels of an alert as a list of `name=value`. */
export function Labels({ labels }: { readonly labels: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <ul class="labels">
      {Object.entries(labels).map(([name, value]) => (
        <li key={name}>
          <span class="label-name">{name}</span>=<LongText text={value} />
        </li>
      ))}
    </ul>
  )
}
