import { useRef, useState } from 'preact/hooks'
import type { ComponentChildren, JSX } from 'preact'
import { failureOf } from '../ask/ask-error.ts'
import type { AskFailure, Diagnostic } from '../ask/requests.ts'
import { goTo, linkTo, setParams, view, viewOf, type View } from '../app/location.ts'
import { SignInDialog } from '../app/sign-in.tsx'
import { texts } from '../app/texts.ts'
import { AskDialog } from '../widgets/dialog.tsx'
import { formFaults, isSame, type JsonObject } from './model.ts'
import { focusPath, Members } from './spec-form.tsx'
import type { MemberSpec } from './spec.ts'
import { jsonFormat, type TextFormat } from './text-formats.ts'
import type { SaveResult, Stored } from './stored.ts'
import { draftOf, useDraft, useKeptText, useLeaving, type Draft } from './use-draft.ts'

interface Props {
  /** Name of the draft, unique for each definition. */
  readonly name: string
  /** The kind of definition, such as `monitor`. */
  readonly what: string
  /** The stored version; `undefined` for a new definition. */
  readonly stored: Stored | undefined
  /** Content of a new definition. */
  readonly initial: JsonObject
  readonly sections: readonly FormSection[]
  readonly formats: readonly TextFormat[]
  /** Reason why the definition cannot be saved; `undefined` if it can. */
  readonly readOnlyReason: string | undefined
  /** Saves the definition. Rejects with AskError. */
  readonly onSave: (value: JsonObject, before: Stored | undefined) => Promise<SaveResult>
  /** Returns content beside the form, such as a preview. */
  readonly aside?: (value: JsonObject) => ComponentChildren
}

export interface FormSection {
  readonly title: string
  readonly note?: string
  readonly members: readonly MemberSpec[]
}

/** Returns the names of members that differ between two versions. */
export function changedNames(a: JsonObject, b: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !isSame(a[name], b[name]))
}

interface StaleProps {
  readonly draft: Draft
  readonly mine: JsonObject
  readonly theirs: Stored
  readonly format: TextFormat
  readonly what: string
  readonly onLoad: (draft: Draft) => void
  readonly onKeep: (text: string) => void
  readonly onOverwrite: () => void
}

/** Reports that another user saved a new version meanwhile, and offers ways to continue. */
function StaleNotice({ draft, mine, theirs, format, what, onLoad, onKeep, onOverwrite }: StaleProps): JSX.Element {
  const [isShown, setIsShown] = useState(false)
  const [they, you] = [changedNames(draft.base, theirs.value), changedNames(draft.base, mine)]
  return (
    <section class="failure stale" role="alert">
      <p class="message">{texts.edit.stale(what)}</p>
      <p>{texts.edit.staleHint}</p>
      <p class="note">
        {texts.edit.theyChanged(they.join(', '))} {texts.edit.youChanged(you.join(', '))}
      </p>
      <p class="fixes">
        <button type="button" class="button" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {texts.edit.showTheirs}
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            onKeep(format.print(mine))
            onLoad(draftOf(theirs.value, theirs.tag))
          }}
        >
          {texts.edit.keepMine}
        </button>
        <button type="button" class="button" onClick={() => onLoad(draftOf(theirs.value, theirs.tag))}>
          {texts.edit.loadTheirs}
        </button>
        <button type="button" class="button danger" onClick={onOverwrite}>
          {texts.edit.overwrite}
        </button>
      </p>
      {isShown && (
        <pre class="definition" tabIndex={0} aria-label={texts.edit.showTheirs}>
          {format.print(theirs.value)}
        </pre>
      )}
    </section>
  )
}

/** Errors of a rejected save, one on each line with a link to its field. */
function SaveFailure(props: {
  readonly failure: AskFailure
  readonly onShow: (path: string) => void
  readonly onRetry: () => void
}): JSX.Element {
  const { failure, onShow, onRetry } = props
  const { kind, message, diagnostics, traceId } = failure
  const [isSigningIn, setIsSigningIn] = useState(false)
  const listed = diagnostics.length > 0 ? diagnostics : [{ message, path: undefined, code: '' }]
  return (
    <section class="failure" role="alert">
      <p class="message">{texts.edit.notSaved}</p>
      <ul class="fault-list">
        {listed.map((each, i) => {
          const { path } = each
          return (
            <li key={i}>
              {each.message}{' '}
              {path !== undefined && (
                <button type="button" class="link" onClick={() => onShow(path)}>
                  {path.replace(/^\$\.?/, '')}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {kind !== 'query' && <p class="note">{texts.edit.kept}</p>}
      {kind === 'signed-out' ? (
        <button type="button" class="button" onClick={() => setIsSigningIn(true)}>
          {texts.edit.signIn}
        </button>
      ) : (
        kind !== 'query' && (
          <button type="button" class="button" onClick={onRetry}>
            {texts.errors.again}
          </button>
        )
      )}
      {isSigningIn && (
        <SignInDialog
          message={message}
          onClose={() => setIsSigningIn(false)}
          onDone={() => {
            setIsSigningIn(false)
            onRetry()
          }}
        />
      )}
      {traceId !== undefined && kind !== 'query' && <p class="note">{texts.errors.traceId(traceId)}</p>}
    </section>
  )
}

const noDiagnostics: readonly Diagnostic[] = []

/**
 * Editor for a definition, as a form or as text. Unsaved changes are kept as a draft until they are saved or discarded.
 */
export function DefinitionEditor(props: Props): JSX.Element {
  const { name, what, stored, initial, sections, formats, readOnlyReason, onSave, aside } = props
  const { draft, isChanged, isRestored, change, begin } = useDraft(name, () =>
    stored === undefined ? draftOf(initial, '') : draftOf(stored.value, stored.tag),
  )
  const [kept, setKept] = useKeptText(name)
  const [failure, setFailure] = useState<AskFailure>()
  const [theirs, setTheirs] = useState<Stored>()
  // Incremented when the form starts again with other content, so that its fields are recreated.
  const [beginning, setBeginning] = useState(0)
  const [isSaving, setIsSaving] = useState(false)
  const [isDiscarding, setIsDiscarding] = useState(false)
  const host = useRef<HTMLFormElement>(null)
  const parameter = stored === undefined ? 'new' : 'edit'
  const shown = view.value.params.get(parameter)
  const format = formats.find(({ id }) => id === shown)
  const textFormat = format ?? formats[0] ?? jsonFormat
  const isReadOnly = readOnlyReason !== undefined
  const { page } = view.value
  const ownId = stored === undefined ? undefined : view.value.params.get('id')
  const isOwn = ({ page: nextPage, params }: View): boolean =>
    nextPage === page && params.has(parameter) && params.get('id') === view.peek().params.get('id')
  const leaving = useLeaving(isChanged && !isReadOnly, isOwn)

  const result = format === undefined || draft.source === '' ? undefined : format.parse(draft.source)
  const sourceFault = result !== undefined && 'fault' in result ? result.fault : undefined
  const fresh = (next: Draft): void => {
    setBeginning(beginning + 1)
    setFailure(undefined)
    setTheirs(undefined)
    begin(next)
  }
  const choose = (id: string): void => {
    if (sourceFault !== undefined) return
    change({ ...draft, source: '' })
    setParams({ [parameter]: id }, 'same')
  }
  const write = (text: string): void => {
    if (format === undefined) return
    const next = format.parse(text)
    const form = 'value' in next ? { value: next.value, texts: {} } : draft.form
    change({ ...draft, form, source: text })
  }
  /** Shows the definition with an id, or the list. */
  const show = (id: string | undefined): void => goTo(viewOf(linkTo(page, id === undefined ? {} : { id })))
  const done = (id: string | undefined): void => {
    leaving.release()
    begin(draftOf({}, ''))
    show(id)
  }
  const members = sections.flatMap((section) => section.members)
  const save = async (before: Stored | undefined): Promise<void> => {
    const [fault] = formFaults(draft.form, members)
    if (fault !== undefined || sourceFault !== undefined) {
      if (fault !== undefined) focusPath(host.current, fault.path)
      const message = fault?.message ?? sourceFault ?? ''
      const diagnostics =
        fault === undefined
          ? []
          : [{ code: '', severity: 'error' as const, message, path: fault.path, notes: [], fixes: [] }]
      setFailure({ kind: 'query', message, diagnostics })
      return
    }
    setIsSaving(true)
    try {
      const result = await onSave(draft.form.value, before)
      setFailure(undefined)
      if (result.kind === 'stale') setTheirs(result.theirs)
      else done(result.id)
    } catch (error) {
      const found = failureOf(error)
      setFailure(found)
      const path = found.diagnostics.find((each) => each.path !== undefined)?.path
      if (path !== undefined) setTimeout(() => focusPath(host.current, path))
    } finally {
      setIsSaving(false)
    }
  }
  const base = stored === undefined ? undefined : { value: draft.base, tag: draft.tag }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (!isReadOnly && !isSaving) void save(base)
  }
  const context = {
    form: draft.form,
    onChange: (form: Draft['form']) => change({ ...draft, form }),
    diagnostics: failure?.diagnostics ?? noDiagnostics,
    isReadOnly,
  }
  return (
    <form class="definition-editor" ref={host} onSubmit={submit} noValidate>
      <div class="editor-bar">
        {formats.length > 0 && (
          <div class="tabs" role="tablist" aria-label={texts.edit.views}>
            {[{ id: 'form', title: texts.edit.form }, ...formats].map(({ id, title }) => (
              <button
                type="button"
                role="tab"
                key={id}
                aria-selected={id === (format?.id ?? 'form')}
                aria-disabled={sourceFault !== undefined && id !== format?.id}
                onClick={() => choose(id)}
              >
                {title}
              </button>
            ))}
          </div>
        )}
        <p class="status" role="status">
          {isReadOnly ? '' : isSaving ? texts.edit.saving : isChanged ? texts.edit.unsaved : ''}
        </p>
        <button
          type="button"
          class="button"
          onClick={() => (isChanged && !isReadOnly ? setIsDiscarding(true) : show(ownId))}
        >
          {isReadOnly ? texts.detail.close : texts.edit.cancel}
        </button>
        {!isReadOnly && (
          <button class="button primary" disabled={isSaving || (stored !== undefined && !isChanged)}>
            {texts.edit.save}
          </button>
        )}
      </div>
      {isReadOnly && <p class="advice">{readOnlyReason}</p>}
      {isRestored && (
        <p class="advice">
          {texts.edit.restored}{' '}
          <button
            type="button"
            class="link"
            onClick={() => fresh(stored === undefined ? draftOf(initial, '') : draftOf(stored.value, stored.tag))}
          >
            {texts.edit.discard}
          </button>
        </p>
      )}
      {theirs !== undefined && (
        <StaleNotice
          draft={draft}
          mine={draft.form.value}
          theirs={theirs}
          format={textFormat}
          what={what}
          onLoad={fresh}
          onKeep={setKept}
          onOverwrite={() => {
            setTheirs(undefined)
            void save(theirs)
          }}
        />
      )}
      {failure !== undefined && (
        <SaveFailure
          failure={failure}
          onShow={(path) => focusPath(host.current, path)}
          onRetry={() => void save(base)}
        />
      )}
      {kept !== '' && (
        <details class="kept-text" open>
          <summary>{texts.edit.mine}</summary>
          <textarea class="code" readOnly rows={12} aria-label={texts.edit.mine} value={kept} />
          <button type="button" class="quiet" onClick={() => setKept('')}>
            {texts.edit.forgetMine}
          </button>
        </details>
      )}
      <div class="editor-body">
        {format === undefined ? (
          <div class="form-sections" key={beginning}>
            {sections.map(({ title, note, members: own }) => (
              <section class="form-section" key={title} aria-label={title}>
                <h2>{title}</h2>
                {note !== undefined && <p class="note">{note}</p>}
                <Members {...context} members={own} others={members} path={[]} />
              </section>
            ))}
            <section class="form-section others" aria-label={texts.edit.others}>
              <Members {...context} members={[]} others={members} path={[]} isLast />
            </section>
          </div>
        ) : (
          <div class="text-view">
            <textarea
              class="code"
              aria-label={format.title}
              spellcheck={false}
              readOnly={isReadOnly}
              aria-invalid={sourceFault !== undefined}
              value={draft.source === '' ? format.print(draft.form.value) : draft.source}
              onInput={(event) => write(event.currentTarget.value)}
            />
            <p class="fault" role="alert">
              {sourceFault === undefined ? '' : texts.edit.unreadable(sourceFault)}
            </p>
          </div>
        )}
        {aside !== undefined && <aside class="editor-aside">{aside(draft.form.value)}</aside>}
      </div>
      {leaving.next !== undefined && (
        <AskDialog
          title={texts.edit.leave}
          text={texts.edit.leaveHint}
          yes={texts.edit.leaveYes}
          no={texts.edit.stay}
          onNo={leaving.stay}
          onYes={() => {
            const { next } = leaving
            leaving.stay()
            leaving.release()
            if (next !== undefined) goTo(next)
          }}
        />
      )}
      {isDiscarding && (
        <AskDialog
          title={texts.edit.discard}
          text={texts.edit.discardHint}
          yes={texts.edit.discard}
          no={texts.edit.stay}
          onNo={() => setIsDiscarding(false)}
          onYes={() => done(ownId)}
        />
      )}
    </form>
  )
}
