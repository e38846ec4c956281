import { useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import type { AskFailure } from '../../ask/requests.ts'
import { formText } from '../../app/form-text.ts'
import { goTo, linkTo, setParams, view, viewOf } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { readOnlyReason } from '../../app/rights.ts'
import { session, useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { DefinitionEditor, type FormSection } from '../../forms/definition-editor.tsx'
import { groupSpec } from '../../forms/filter-spec.ts'
import { jsonFormat } from '../../forms/text-formats.ts'
import { AskDialog } from '../../widgets/dialog.tsx'
import { Failure } from '../../widgets/failure.tsx'
import { pageOf, Paging } from '../../widgets/paging.tsx'
import { SearchBox } from '../../widgets/search-box.tsx'
import { SortHeader } from '../../widgets/sort-header.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import {
  applyPolicy,
  deletePolicy,
  listPolicies,
  readPolicy,
  restrictionOf,
  restrictionWords,
  savePolicy,
  scopeKinds,
  type Policy,
} from './policies.ts'
import { KeysList } from './keys-list.tsx'
import { PolicyPreview } from './policy-preview.tsx'

const words = texts.policies

const sections: readonly FormSection[] = [
  {
    title: words.general,
    members: [
      { name: 'name', label: words.name, kind: 'text', isWide: true },
      { name: 'description', label: words.description, kind: 'lines', isWide: true },
      { name: 'role', label: words.role, kind: 'map', hint: words.roleHint },
      { name: 'claimRole', label: words.claimRole, kind: 'text' },
    ],
  },
  {
    title: words.rows,
    note: words.rowsNote,
    members: [
      {
        name: 'dataScope',
        label: words.scope,
        kind: 'object',
        isPlain: true,
        members: () => [
          groupSpec('simple', words.simple, words.simpleHint),
          {
            name: 'advanced',
            label: words.advanced,
            kind: 'object',
            hint: words.advancedHint,
            members: () => scopeKinds.map((kind) => groupSpec(kind, words.kinds[kind])),
          },
        ],
      },
    ],
  },
]

/** Shows the signed-in user, and where keys are stored. */
function WhoIsHere(): JSX.Element | null {
  const who = session.value
  if (who === undefined || who === 'signed-out') return null
  return (
    <section class="resource-section" aria-label={words.you}>
      <h2>{words.you}</h2>
      <dl class="facts">
        <div>
          <dt>{words.user}</dt>
          <dd>{who.user}</dd>
        </div>
        <div>
          <dt>{words.roles}</dt>
          <dd>{who.roles.join(', ')}</dd>
        </div>
        <div>
          <dt>{words.backends}</dt>
          <dd>{who.backends.join(', ')}</dd>
        </div>
        <div>
          <dt>{words.sees}</dt>
          <dd>{who.isScoped ? words.scoped : words.unscoped}</dd>
        </div>
        <div>
          <dt>{words.version}</dt>
          <dd>{who.version}</dd>
        </div>
      </dl>
      <p class="note">{words.keysNote}</p>
      <p>
        <code>{words.keysCommand}</code>
      </p>
      <p class="note">{words.keysDocs}</p>
    </section>
  )
}

function scopeWords({ dataScope }: Policy): string {
  const said = scopeKinds.map((kind) => restrictionWords(restrictionOf(dataScope, kind)))
  return new Set(said).size === 1
    ? (said[0] ?? '')
    : scopeKinds.map((kind, i) => `${words.kinds[kind]}: ${said[i] ?? ''}`).join('; ')
}

function PolicyList(): JSX.Element {
  const { ask } = useServices()
  const { answer, failure, reload } = useAnswer((signal) => listPolicies(ask, signal), [ask])
  const { params } = view.value
  const sort = params.get('sort') ?? ''
  const onSort = (next: string): void => setParams({ sort: next }, 'same')
  const text = (params.get('q') ?? '').toLowerCase()
  const sign = sort.startsWith('-') ? -1 : 1
  const by = ({ name, entityCount = 0 }: Policy): number | string =>
    sort.endsWith('users') ? entityCount : name.toLowerCase()
  const found = (answer ?? []).filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(text))
  const sorted = sort === '' ? found : found.toSorted((a, b) => sign * (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0))
  const { page, rows } = pageOf(sorted, params.get('page'))
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <h1>{texts.pages.policies}</h1>
        <SearchBox label={words.find} />
        <span class="filler" />
        {readOnlyReason('admin') === undefined && (
          <a class="button primary" href={linkTo('policies', { new: 'form' })}>
            {words.create}
          </a>
        )}
      </header>
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.pages.policies}>
        {answer === undefined && failure === undefined && <p class="note padded">{texts.rows.loading}</p>}
        {answer !== undefined && (
          <table class="resources">
            <thead>
              <tr>
                <SortHeader title={words.name} name="name" sort={sort} onSort={onSort} />
                <th scope="col">{words.sees}</th>
                <th scope="col" class="optional">
                  {words.roles}
                </th>
                <SortHeader title={words.users} name="users" class="number optional" sort={sort} onSort={onSort} />
              </tr>
            </thead>
            <tbody>
              {rows.map((policy) => (
                <tr key={policy.uuid}>
                  <td class="main">
                    <a href={linkTo('policies', { id: policy.uuid })}>{policy.name}</a>
                    {policy.readOnly && <span class="tag">{words.builtIn}</span>}
                    <span class="note block">{policy.description}</span>
                  </td>
                  <td class="main">
                    <span class="cut" title={scopeWords(policy)}>
                      {scopeWords(policy)}
                    </span>
                  </td>
                  <td class="optional">{Object.keys(policy.role).join(', ')}</td>
                  <td class="number optional">{policy.entityCount === undefined ? '–' : count(policy.entityCount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {answer !== undefined && rows.length === 0 && <p class="note padded">{words.none}</p>}
        <WhoIsHere />
        {readOnlyReason('admin') === undefined && <KeysList />}
      </div>
      <Paging page={page} total={found.length} />
    </div>
  )
}

/** Form that assigns a policy to users by e-mail address. */
function GiveForm({ id }: { readonly id: string }): JSX.Element {
  const { ask } = useServices()
  const [said, setSaid] = useState('')
  const [failure, setFailure] = useState<AskFailure>()
  const give = async (form: HTMLFormElement): Promise<void> => {
    const emails = formText(form, 'emails')
      .split(/[\s,;]+/)
      .filter((email) => email !== '')
    setSaid('')
    try {
      await applyPolicy(ask, id, emails, formText(form, 'override') === 'on')
      setFailure(undefined)
      setSaid(words.given(emails.join(', ')))
      form.reset()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  return (
    <section class="resource-section" aria-label={words.give}>
      <h2>{words.give}</h2>
      <form class="give" onSubmit={(event) => (event.preventDefault(), void give(event.currentTarget))}>
        <label>
          {words.emails}
          <textarea name="emails" rows={2} required spellcheck={false} />
        </label>
        <label class="check">
          <input type="checkbox" name="override" />
          {words.override}
        </label>
        <button class="button">{words.give}</button>
      </form>
      <p role="status">{said}</p>
      {failure !== undefined && <Failure failure={failure} />}
    </section>
  )
}

function PolicyView({ id }: { readonly id: string }): JSX.Element {
  const { ask } = useServices()
  const isEditing = view.value.params.has('edit')
  const { answer, failure, reload } = useAnswer((signal) => readPolicy(ask, id, signal), [ask, id, isEditing])
  const [fault, setFault] = useState<AskFailure>()
  const [isDeleting, setIsDeleting] = useState(false)
  const policy = answer?.policy
  const reason = policy?.readOnly === true ? words.builtInHint : readOnlyReason('admin')
  const remove = async (): Promise<void> => {
    setIsDeleting(false)
    try {
      await deletePolicy(ask, id, answer?.tag)
      goTo(viewOf(linkTo('policies')))
    } catch (error) {
      setFault(failureOf(error))
    }
  }
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <a class="back" href={linkTo('policies')}>
          {texts.pages.policies}
        </a>
        <h1>{policy?.name ?? id}</h1>
        {policy !== undefined && <span class="note">{words.revision(policy.revisionNumber)}</span>}
        <span class="filler" />
        {!isEditing && policy !== undefined && (
          <a class="button" href={linkTo('policies', { id, edit: 'form' })}>
            {reason === undefined ? words.edit : words.show}
          </a>
        )}
        {!isEditing && policy !== undefined && reason === undefined && (
          <button type="button" class="button danger" onClick={() => setIsDeleting(true)}>
            {words.delete}
          </button>
        )}
      </header>
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      {fault !== undefined && <Failure failure={fault} />}
      {answer !== undefined && isEditing && (
        <DefinitionEditor
          name={`policy:${id}`}
          what={words.one}
          stored={{ value: answer.value, tag: answer.tag }}
          initial={{}}
          sections={sections}
          formats={[jsonFormat]}
          readOnlyReason={reason}
          onSave={(form, before) => savePolicy(ask, id, form, before)}
          aside={(form) => <PolicyPreview form={form} />}
        />
      )}
      {answer !== undefined && policy !== undefined && !isEditing && (
        <>
          {reason !== undefined && <p class="advice">{reason}</p>}
          <div class="resource-body" tabIndex={0} role="region" aria-label={policy.name}>
            {policy.description !== '' && <p class="lead">{policy.description}</p>}
            <dl class="facts">
              <div>
                <dt>{words.roles}</dt>
                <dd>{Object.keys(policy.role).join(', ') || '–'}</dd>
              </div>
              {policy.entityCount !== undefined && (
                <div>
                  <dt>{words.users}</dt>
                  <dd>{count(policy.entityCount)}</dd>
                </div>
              )}
              {policy.updatedTimestamp !== undefined && (
                <div>
                  <dt>{words.updated}</dt>
                  <dd>
                    {shortTime(Date.parse(policy.updatedTimestamp))} {policy.updatedBy}
                  </dd>
                </div>
              )}
            </dl>
            <PolicyPreview form={answer.value} />
            {readOnlyReason('admin') === undefined && <GiveForm id={id} />}
          </div>
        </>
      )}
      {isDeleting && policy !== undefined && (
        <AskDialog
          title={words.deleteTitle(policy.name)}
          text={words.deleteText}
          yes={words.delete}
          no={texts.edit.cancel}
          onNo={() => setIsDeleting(false)}
          onYes={() => void remove()}
        />
      )}
    </div>
  )
}

function NewPolicy(): JSX.Element {
  const { ask } = useServices()
  return (
    <div class="resource-page">
      <header class="resource-bar">
        <a class="back" href={linkTo('policies')}>
          {texts.pages.policies}
        </a>
        <h1>{words.create}</h1>
      </header>
      <DefinitionEditor
        name="policy:new"
        what={words.one}
        stored={undefined}
        initial={{ name: '', role: { read: '' }, dataScope: { simple: { operator: 'and', conditions: [] } } }}
        sections={sections}
        formats={[jsonFormat]}
        readOnlyReason={readOnlyReason('admin')}
        onSave={(form) => savePolicy(ask, undefined, form, undefined)}
        aside={(form) => <PolicyPreview form={form} />}
      />
    </div>
  )
}

/** The policies page: the list and the signed-in user, one policy, or a new one. */
export function PoliciesPage(): JSX.Element {
  const { params } = view.value
  const id = params.get('id')
  if (params.has('new')) return <NewPolicy />
  return id === undefined ? <PolicyList /> : <PolicyView key={id} id={id} />
}
