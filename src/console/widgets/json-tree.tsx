import type { JSX } from 'preact'
import { parseJsonExact, printJsonExact, isJsonObject, type ExactJson } from '../../data/index.ts'

/** Maximum number of members drawn for an object or list; the others are only counted. */
const MAX_MEMBERS = 200

function Node({ name, value }: { readonly name: string | undefined; readonly value: ExactJson }): JSX.Element {
  const members = Array.isArray(value)
    ? (value as readonly ExactJson[]).map((member, i): readonly [string, ExactJson] => [String(i), member])
    : isJsonObject(value)
      ? Object.entries(value)
      : undefined
  const label = name === undefined ? '' : `${name}: `
  if (members === undefined)
    return (
      <div class="leaf">
        <span class="member">{label}</span>
        <span class="value">{printJsonExact(value)}</span>
      </div>
    )
  return (
    <details open={members.length <= 8}>
      <summary>
        <span class="member">{label}</span>
        {Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`}
      </summary>
      {members.slice(0, MAX_MEMBERS).map(([key, member]) => (
        <Node key={key} name={key} value={member} />
      ))}
      {members.length > MAX_MEMBERS && <div class="leaf">… {members.length - MAX_MEMBERS} more</div>}
    </details>
  )
}

/** A JSON document with collapsible objects and lists. */
export function JsonTree({ text }: { readonly text: string }): JSX.Element {
  try {
    return (
      <div class="json-tree">
        <Node name={undefined} value={parseJsonExact(text)} />
      </div>
    )
  } catch {
    return <span class="value">{text}</span>
  }
}
