import { useId, useMemo, useRef, useState } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { printJsonPath } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { texts } from '../app/texts.ts'
import type { Diagnostic } from '../ask/requests.ts'
import type { SetText } from '../widgets/query-editor.tsx'
import { Faults } from './faults.tsx'
import type { InputProps } from './input.ts'
import { MapField } from './map-field.tsx'
import { QueryField } from './query-field.tsx'
import {
  formFaults,
  isInside,
  isObject,
  isObjectList,
  kindFor,
  otherMembers,
  OTHERS,
  prettyJson,
  readText,
  shownText,
  valueAt,
  withMember,
  withOthersText,
  withText,
  withoutItem,
  type FormState,
  type JsonObject,
  type Path,
} from './model.ts'
import type { FieldKind, FieldSpec, ListSpec, MemberSpec, ObjectSpec } from './spec.ts'

/** State that all fields of a form share. */
export interface FormContext {
  readonly form: FormState
  readonly onChange: (form: FormState) => void
  /** Errors from the server. */
  readonly diagnostics: readonly Diagnostic[]
  readonly isReadOnly: boolean
}

/** Returns the height of a text area in rows: that of its text, between two bounds. */
function rowsOf(text: string, least: number, most: number): number {
  return Math.min(most, Math.max(least, text.split('\n').length))
}

function Input({ spec, kind, ...props }: InputProps & { readonly spec: FieldSpec; readonly kind: FieldKind }) {
  const { id, text, isReadOnly, describedBy, isFaulty, onText } = props
  const shared = { id, 'aria-describedby': describedBy, 'aria-invalid': isFaulty, disabled: isReadOnly }
  if (kind === 'map') return <MapField {...props} />
  if (kind === 'boolean' || kind === 'word') {
    const words = kind === 'boolean' ? ['true', 'false'] : (spec.options ?? [])
    const offered = text === '' || words.includes(text) ? words : [...words, text]
    const names: Readonly<Record<string, string>> = kind === 'boolean' ? texts.edit.booleans : {}
    return (
      <select {...shared} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        <option value="">{texts.edit.unset(names[spec.initial ?? ''] ?? spec.initial)}</option>
        {offered.map((word) => (
          <option key={word} value={word}>
            {names[word] ?? word}
          </option>
        ))}
      </select>
    )
  }
  const placeholder = spec.initial ?? ''
  if (kind === 'json' || kind === 'texts' || kind === 'lines' || kind === 'query')
    return (
      <textarea
        {...shared}
        class={kind === 'json' || kind === 'query' ? 'code' : undefined}
        rows={rowsOf(text, kind === 'lines' ? 2 : 1, 24)}
        spellcheck={kind === 'lines'}
        placeholder={placeholder}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )
  return (
    <input
      {...shared}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** Label, input, hint and faults of one field. */
function FieldFrame(props: {
  readonly id: string
  readonly path: string
  readonly label: string
  readonly hint?: string | undefined
  readonly isWide?: boolean | undefined
  readonly children: ComponentChildren
  readonly faults: ComponentChildren
}): JSX.Element {
  const { id, path, label, hint, isWide, children, faults } = props
  return (
    <div class={`form-field${isWide === true ? ' wide' : ''}`} data-path={path}>
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && <p class="note">{hint}</p>}
      {faults}
    </div>
  )
}

function Field({ spec, path, ...context }: FormContext & { readonly spec: FieldSpec; readonly path: Path }) {
  const { form, onChange, diagnostics, isReadOnly } = context
  const id = useId()
  const fieldPath = printJsonPath(path)
  const kind = kindFor(spec.kind, valueAt(form.value, path))
  const text = shownText(form, path, spec.kind)
  const result = readText(kind, text)
  const own = diagnostics.filter(({ path: at = '' }) => isInside(at, fieldPath))
  const hasFaults = own.length > 0 || 'fault' in result
  const onText = (next: string): void => onChange(withText(form, path, kind, next))
  const [fixed, setFixed] = useState<SetText>()
  const onFix = (next: string): void => {
    setFixed({ text: next })
    onText(next)
  }
  const input: InputProps = {
    id,
    text,
    label: spec.label,
    isReadOnly,
    describedBy: hasFaults ? `${id}-faults` : undefined,
    isFaulty: hasFaults,
    onText,
  }
  const isCode = kind === 'json' || kind === 'query'
  return (
    <FieldFrame
      id={id}
      path={fieldPath}
      label={spec.label}
      hint={spec.hint}
      isWide={spec.isWide === true || isCode || kind === 'map'}
      faults={
        <Faults
          id={`${id}-faults`}
          message={'fault' in result ? result.fault : undefined}
          diagnostics={own}
          text={text}
          onFix={isReadOnly ? undefined : onFix}
        />
      }
    >
      {kind === 'query' && !isReadOnly ? (
        <QueryField {...input} fixed={fixed} query={valueAt(form.value, path.slice(0, -1))} />
      ) : (
        <Input {...input} spec={spec} kind={kind} />
      )}
    </FieldFrame>
  )
}

/** Edits the members of an object without a specification, as JSON. */
function Others({
  members,
  path,
  ...context
}: FormContext & { readonly members: readonly MemberSpec[]; readonly path: Path }) {
  const { form, onChange, isReadOnly } = context
  const id = useId()
  const fieldPath = printJsonPath([...path, OTHERS])
  const others = otherMembers(valueAt(form.value, path), members)
  const typed = form.texts[fieldPath]
  if (typed === undefined && Object.keys(others).length === 0) return null
  const text = typed ?? prettyJson(others)
  const isBad = formFaults(form, [], path).some((fault) => fault.path === fieldPath)
  return (
    <FieldFrame
      id={id}
      path={fieldPath}
      label={texts.edit.others}
      hint={texts.edit.othersHint}
      isWide
      faults={
        <Faults id={`${id}-faults`} message={isBad ? texts.edit.noObject : undefined} diagnostics={[]} text={text} />
      }
    >
      <textarea
        id={id}
        class="code"
        rows={rowsOf(text, 2, 24)}
        spellcheck={false}
        disabled={isReadOnly}
        aria-invalid={isBad}
        value={text}
        onInput={(event) => onChange(withOthersText(form, path, members, event.currentTarget.value))}
      />
    </FieldFrame>
  )
}

/**
 * Returns a field specification that shows a value as JSON, for a value whose type does not match its own
 * specification.
 */
function asField(spec: ObjectSpec | ListSpec): FieldSpec {
  return { name: spec.name, label: spec.label, kind: 'json', ...(spec.hint === undefined ? {} : { hint: spec.hint }) }
}

function ObjectFields({ spec, path, ...context }: FormContext & { readonly spec: ObjectSpec; readonly path: Path }) {
  const { form, onChange, isReadOnly } = context
  const value = valueAt(form.value, path)
  if (value !== undefined && !isObject(value)) return <Field {...context} spec={asField(spec)} path={path} />
  if (spec.isPlain === true)
    return (
      <>
        <Faults diagnostics={ownFaults(context.diagnostics, path)} text="" message={undefined} />
        <Members {...context} members={spec.members()} path={path} />
      </>
    )
  if (value === undefined)
    return isReadOnly ? null : (
      <p class="form-add">
        <button type="button" class="quiet" onClick={() => onChange(withMember(form, path, {}))}>
          + {spec.label}
        </button>
      </p>
    )
  return (
    <fieldset class="form-part" data-path={printJsonPath(path)}>
      <legend>
        {spec.label}
        {!isReadOnly && (
          <RemoveButton label={spec.label} onRemove={() => onChange(withMember(form, path, undefined))} />
        )}
      </legend>
      {spec.hint !== undefined && <p class="note">{spec.hint}</p>}
      <Faults diagnostics={ownFaults(context.diagnostics, path)} text="" message={undefined} />
      <Members {...context} members={spec.members()} path={path} />
    </fieldset>
  )
}

/** Returns the server errors about an object or list itself, not about a field inside it. */
function ownFaults(diagnostics: readonly Diagnostic[], path: Path): readonly Diagnostic[] {
  const fieldPath = printJsonPath(path)
  return diagnostics.filter((each) => each.path === fieldPath)
}

function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }): JSX.Element {
  return (
    <button type="button" class="quiet remove" aria-label={texts.edit.remove(label)} onClick={onRemove}>
      ✕
    </button>
  )
}

function ListFields({ spec, path, ...context }: FormContext & { readonly spec: ListSpec; readonly path: Path }) {
  const { form, onChange, isReadOnly, diagnostics } = context
  const host = useRef<HTMLDivElement>(null)
  const keys = useRef<readonly number[]>([])
  const value = valueAt(form.value, path)
  if (value !== undefined && !isObjectList(value)) return <Field {...context} spec={asField(spec)} path={path} />
  const items: readonly JsonObject[] = value ?? []
  const fieldPath = printJsonPath(path)
  const members = spec.members()
  // Items keep their keys, and thus state such as an editor, when an earlier item is removed.
  for (let i = keys.current.length; i < items.length; i++)
    keys.current = [...keys.current, Math.max(0, ...keys.current) + 1]
  const add = (): void => {
    onChange(withMember(form, path, [...items, { ...spec.create?.() }] as PlainJson))
    setTimeout(() =>
      host.current?.querySelector<HTMLElement>(':is(.form-part, .form-row):last-of-type :is(input, textarea)')?.focus(),
    )
  }
  return (
    <div class="form-list" ref={host} data-path={fieldPath}>
      {items.map((_, i) => {
        const name = `${spec.itemLabel} ${i + 1}`
        const remove = isReadOnly ? null : (
          <RemoveButton
            label={name}
            onRemove={() => {
              keys.current = keys.current.toSpliced(i, 1)
              onChange(withoutItem(form, path, i))
            }}
          />
        )
        const content = (
          <>
            <Faults diagnostics={ownFaults(diagnostics, [...path, i])} text="" message={undefined} />
            <Members {...context} members={members} path={[...path, i]} />
          </>
        )
        return spec.isRow === true ? (
          <div class="form-row" role="group" aria-label={name} key={keys.current[i]} data-path={`${fieldPath}[${i}]`}>
            {content}
            {remove}
          </div>
        ) : (
          <fieldset class="form-part" key={keys.current[i]} data-path={`${fieldPath}[${i}]`}>
            <legend>
              {name}
              {remove}
            </legend>
            {content}
          </fieldset>
        )
      })}
      <Faults diagnostics={ownFaults(diagnostics, path)} text="" message={undefined} />
      {!isReadOnly && (
        <p class="form-add">
          <button type="button" class="quiet" onClick={add}>
            + {spec.itemLabel}
          </button>
          {spec.hint !== undefined && <span class="note">{spec.hint}</span>}
        </p>
      )}
    </div>
  )
}

function Member({ spec, ...rest }: FormContext & { readonly spec: MemberSpec; readonly path: Path }): JSX.Element {
  const path = [...rest.path, spec.name]
  if (spec.kind === 'object') return <ObjectFields {...rest} spec={spec} path={path} />
  if (spec.kind === 'list') return <ListFields {...rest} spec={spec} path={path} />
  return <Field {...rest} spec={spec} path={path} />
}

interface MembersProps extends FormContext {
  readonly members: readonly MemberSpec[]
  readonly path: Path
  /** All members of the object, if `members` is only a part of them. */
  readonly others?: readonly MemberSpec[]
  /** True for the last part of an object, which also shows the members without a specification. */
  readonly isLast?: boolean
}

/** All members of an object: common ones, then rarely used ones, then those without a specification. */
export function Members({ members, path, others, isLast, ...context }: MembersProps): JSX.Element {
  const usual = members.filter(({ isRare }) => isRare !== true)
  const rare = members.filter(({ isRare }) => isRare === true)
  const isUsed = rare.some(
    ({ name }) =>
      valueAt(context.form.value, [...path, name]) !== undefined ||
      context.diagnostics.some(({ path: at = '' }) => isInside(at, printJsonPath([...path, name]))),
  )
  const isOpen = useMemo(() => isUsed, [])
  return (
    <div class="form-members">
      {usual.map((spec) => (
        <Member key={spec.name} {...context} spec={spec} path={path} />
      ))}
      {rare.length > 0 && (
        <details class="form-more" open={isOpen || isUsed}>
          <summary>{texts.edit.more}</summary>
          <div class="form-members">
            {rare.map((spec) => (
              <Member key={spec.name} {...context} spec={spec} path={path} />
            ))}
          </div>
        </details>
      )}
      {(others === undefined || isLast === true) && <Others {...context} members={others ?? members} path={path} />}
    </div>
  )
}

/** Moves the focus to the field at a path, or to the innermost part of the form that contains it. */
export function focusPath(host: HTMLElement | null, path: string): void {
  const parts = [...(host?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const found = parts
    .filter(({ dataset: { path: fieldPath = '' } }) => path.startsWith(fieldPath))
    .toSorted((a, b) => (b.dataset['path'] ?? '').length - (a.dataset['path'] ?? '').length)[0]
  for (let at: Element | null = found ?? null; at !== null; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true
  const input = found?.querySelector<HTMLElement>('input, select, textarea:not([hidden]), button')
  found?.scrollIntoView({ block: 'center' })
  input?.focus({ preventScroll: true })
}
