// @module-tag slow
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settled } from './pictures.ts'
import { openStocked, THEN, views, type StockedConsole, type View } from './views.ts'

let open: StockedConsole
beforeAll(async () => {
  open = await openStocked()
  const { page, close } = await open.open({ now: THEN })
  for (const view of views) {
    await open.visit(page, view)
    await settled(page)
    const controls = page
      .locator('#content, header.top')
      .locator(':is(button:not([tabindex="-1"]), select):enabled:visible, summary:visible')
    for (const kind of await controls.evaluateAll(kindsOf)) shown.add(kind)
  }
  await close()
})
afterAll(async () => open.close())

/** An action on a page that must work with the keyboard alone. */
interface Action {
  readonly view: string
  /** Selector of the element to focus first; absent for a key that works on the whole page. */
  readonly on?: string
  /** Keys to press in order, separated by spaces. */
  readonly keys: string
  /**
   * Expected effect: `#` and a part of the URL, or a selector that must match. With the prefix `!` it must not match.
   */
  readonly effect: string
}

const button = (name: string): string => `button:text-is("${name}")`
const labelled = (name: string): string => `button[aria-label="${name}"]`

function actionsOf(
  view: string,
  rows: readonly (readonly [on: string, keys: string, effect: string])[],
): readonly Action[] {
  return rows.map(([on, keys, effect]) => ({ view, keys, effect, ...(on === '' ? {} : { on }) }))
}

const actions: readonly Action[] = [
  ...actionsOf('rows', [
    ['', '?', 'dialog[open]'],
    ['', '2', '#/events'],
    ['', '3', '#/traces'],
    ['', '4', '#/metrics'],
    ['', '5', '#/workloads'],
    ['', '6', '#/monitors'],
    ['', '7', '#/silences'],
    ['', '8', '#/policies'],
    ['', 'Escape', '.rows .row'],
    ['.query-editor .cm-content', 'End x Control+Enter', '#errorx'],
    ['.skip', 'Enter', '#content:focus'],
    [labelled('Keys'), 'Enter', 'dialog[open]'],
    [labelled('Keys'), 'Enter Escape', '!dialog[open]'],
    ['select[aria-label=Theme]', 'ArrowDown', ':root[data-theme=light]'],
    [button('Sign out'), 'Enter', '.sign-in'],
    ['select[aria-label=Dialect]', 'ArrowDown', '#dialect=logsql'],
    ['select[aria-label=Rows]', 'ArrowDown', '#rows=10000'],
    [button('History'), 'Enter', '#query-history:popover-open'],
    [button('History'), 'Enter Tab Enter', '#level%3Aerror'],
    [button('Live'), 'Enter', '#live=on'],
    ['.time-picker > .button', 'Enter', '#time-picker:popover-open'],
    ['.time-picker > .button', 'Enter Tab Enter', '#from=now-5m'],
    [button('Run'), 'Enter', '.rows .row'],
    ['.facet:has-text("cluster") summary', 'Enter', '.facet:has-text("cluster") details[open]'],
    ['.facet-value:visible:has-text("payments")', 'Enter', '#payments'],
    ['.facet li .quiet:visible', 'Enter', '#namespace'],
    ['.facet:has-text("env") .column-toggle', 'Space', '#env'],
    [button('Patterns'), 'Enter', '#form=patterns'],
    [button('Table'), 'Enter', '#form=table'],
    [button('Compare'), 'Enter', '#form=compare'],
    [button('Explain'), 'Enter', '#form=explain'],
    [button('Read more'), 'Enter', '#rows=10000'],
    [button('NDJSON'), 'Enter', '.rows .row'],
    [button('CSV'), 'Enter', '.rows .row'],
    ['.list.rows', 'Home ArrowDown', '#row=1'],
    ['.list.rows', 'End', '#row=999'],
    ['.list.rows', 'PageDown', '.detail'],
    ['.header .remove', 'Enter', '#cols'],
    ['.header .resizer', 'ArrowRight', '.resizer[aria-valuenow="150"]'],
  ]),
  ...actionsOf('a row', [
    [labelled('Previous row'), 'Enter', '#row=0'],
    [labelled('Next row'), 'Enter', '#row=2'],
    [button('Copy'), 'Enter', '.detail :text("Copied")'],
    [labelled('Close'), 'Enter', '!.detail'],
    [button('Rows around it'), 'Enter', '#workload'],
    ['.field .quiet >> nth=3', 'Enter', '#level'],
    ['.field .quiet[aria-pressed=false]', 'Enter', '#cols='],
  ]),
  ...actionsOf('a table', [
    ['.groups th button', 'Enter', '.groups th[aria-sort=descending]'],
    ['.groups th button', 'Enter Enter', '.groups th[aria-sort=ascending]'],
    [button('Bars'), 'Enter', '#form=bars'],
  ]),
  ...actionsOf('lines', [
    ['.legend button', 'Enter', '.legend button[aria-pressed=false]'],
    [button('Heat map'), 'Enter', '#form=heat'],
  ]),
  ...actionsOf('bars', [[button('Table'), 'Enter', '!form=bars']]),
  ...actionsOf('a heat map', [[button('Lines'), 'Enter', '!form=heat']]),
  ...actionsOf('a number', [[button('Number'), 'Enter', '.number-view']]),
  ...actionsOf('patterns', [
    ['.pattern', 'Enter', '#checkout+failed'],
    [button('Rows'), 'Enter', '!form=patterns'],
  ]),
  ...actionsOf('a comparison', [
    ['.split input', '_ t i m e : 5 m Enter', '#split=_time%3A5m'],
    [button('Compare'), 'Enter', '.compare'],
    ['.split button', 'Enter', '.compare'],
  ]),
  ...actionsOf('the plan', [[button('Run and measure'), 'Enter', '.plan .measure']]),
  ...actionsOf('an error', [['.fixes button', 'Enter', '#limit']]),
  ...actionsOf('nothing found', [['.empty .button', 'Enter', '#from=now-7d']]),
  ...actionsOf('an unknown page', [['.empty .button', 'Enter', '#/logs']]),
  ...actionsOf('traces', [
    ['', 'Escape', '.traces tbody tr'],
    ['.query-editor .cm-content', 'End x Control+Enter', '#errorx'],
    ['.traces th.duration button', 'Enter', '#sort=longest'],
    ['.traces th.start button', 'Enter', '!sort='],
    ['.traces th.number button', 'Enter', '#sort=spans'],
    ['.traces tbody a', 'Enter', '#trace='],
    ['.facet-value:visible', 'Enter', '#client'],
  ]),
  ...actionsOf('traces by TraceQL', [
    ['.query-editor .cm-content', 'End x Control+Enter', '.failure .place'],
    ['select[aria-label=Dialect]', 'ArrowUp', '#dialect=logsql'],
    ['.traces th.duration button', 'Enter', '#sort=longest'],
    ['.traces tbody a', 'Enter', '#match='],
    [button('History'), 'Enter Tab Enter', '.traces tbody tr'],
  ]),
  ...actionsOf('an error of TraceQL', [['.fixes button', 'Enter', '#status']]),
  ...actionsOf('a trace', [
    ['', 'z', '#zoom='],
    ['', 'z Z', '!zoom='],
    ['', 'e', '#span=a'],
    ['', 'c', '#depth=1'],
    ['', 'c o', '!depth='],
    ['', 'Escape', '#side=none'],
    ['.list.spans', 'Home', '#span=a'],
    ['.list.spans', 'Home ArrowLeft', '.row.span[aria-expanded=false]'],
    ['.list.spans', 'Home ArrowLeft ArrowRight', '.row.span[aria-expanded=true]'],
    ['.trace-head .link', 'Enter', '#span=a'],
    [button('Fold all'), 'Enter', '#depth=1'],
    [button('Unfold all'), 'Enter', '.row.span'],
    [button('Zoom to the span'), 'Enter', '#zoom='],
    ['.trace-tools button[aria-pressed]', 'Enter', '#side=logs'],
    ['.odd summary', 'Enter', '!.odd[open]'],
    ['.waterfall .resizer', 'ArrowRight', '.waterfall[style*=names]'],
    ['.detail [role=tab]:text-is("Logs")', 'Enter', '#side=logs'],
    ['.detail [role=tab]:text-is("Span")', 'Enter', '.span-detail'],
    ['.detail [aria-label=Close]', 'Enter', '#side=none'],
  ]),
  ...actionsOf('logs of a trace', [['.trace-tools button[aria-pressed]', 'Enter', '#side=none']]),
  ...actionsOf('a graph', [
    ['.expression .cm-content', 'End Control+Enter', '.legend'],
    ['.expression .quiet', 'Enter', '!a='],
    [button('Add expression'), 'Enter', '.expression >> nth=2'],
    ['.metrics-tools select', 'ArrowDown', '#step=1s'],
    ['.check input', 'Space', '#exemplars=off'],
    ['.metric-list input', 'u p Enter', '#a=up'],
    ['.metric-rows .list', 'ArrowDown Enter', '#container'],
    ['.fixes button', 'Enter', '#rate%28up'],
    [button('Table'), 'Enter', '#form=table'],
    [button('Run'), 'Enter', '.legend'],
  ]),
  ...actionsOf('a table of metrics', [
    ['.instant th button', 'Enter', '.instant th[aria-sort]'],
    [button('Graph'), 'Enter', '!form=table'],
  ]),
  ...actionsOf('workloads', [
    ['.query-editor .cm-content', 'x Control+Enter', '#q=x'],
    ['.cluster-card .link', 'Enter', '#q=cluster'],
    ['.workloads th button', 'Enter', '#sort=workload'],
    ['.workloads .links a', 'Enter', '#/logs'],
  ]),
  ...actionsOf('monitors', [
    ['.search-box', 'n o', '#q=no'],
    ['.choice .state-paused', 'Enter', '#state=paused'],
    ['.choice button', 'Enter', '!state='],
    ['.resources th button >> nth=1', 'Enter', '#sort=title'],
    ['.resources tbody a', 'Enter', '#id='],
    ['.resource-bar .primary', 'Enter', '#new=form'],
  ]),
  ...actionsOf('a monitor', [
    ['.resource-bar a.button', 'Enter', '#edit=form'],
    ['.changes summary', 'Enter', '.changes[open]'],
    ['.instances .actions .button', 'Enter', '#/silences?'],
    [button('Delete'), 'Enter', 'dialog[open]'],
    [button('Delete'), 'Enter Escape', '!dialog[open]'],
    [button('Pause'), 'Enter', button('Resume')],
    [button('Resume'), 'Enter', button('Pause')],
  ]),
  ...actionsOf('the form of a monitor', [
    [button('YAML'), 'Enter', '#edit=yaml'],
    [button('JSON'), 'Enter', '#edit=json'],
    [button('Form'), 'Enter', '#edit=form'],
    [button('Cancel'), 'Enter', '!edit='],
    ['.form-more summary', 'Enter', '.form-more[open]'],
    [button('+ Query'), 'Enter', 'legend:has-text("Query 2")'],
    [button('+ Reducer'), 'Enter', 'legend:has-text("Reducer")'],
    [labelled('Remove Query 1'), 'Enter', '!legend:has-text("Query 1")'],
    ['.form-section select >> nth=1', 'ArrowDown', `${button('Save')}:enabled`],
    ['.preview .button', 'Enter', '.preview .legend'],
    ['.form-section input >> nth=1', 'S 2', `${button('Save')}:enabled`],
    ['.form-section input >> nth=1', 'S 2 Control+Enter', '.form-section'],
  ]),
  ...actionsOf('silences', [
    ['.search-box', 's h o p', '#q=shop'],
    ['.choice .silence-pending', 'Enter', '#state=pending'],
    ['.card summary', 'Enter', '.card details[open]'],
    ['.card a.button', 'Enter', '#edit=form'],
    ['.card select', 'ArrowDown', '.card :text("ends in 3h 59m")'],
    ['.card.silence-pending .danger', 'Enter', '!.card.silence-pending'],
    ['.resource-bar .primary', 'Enter', '#new=form'],
  ]),
  ...actionsOf('the form of a silence', [
    [button('+ Matcher'), 'Enter', '.form-row >> nth=1'],
    [labelled('Remove Matcher 1'), 'Enter', '!.form-row'],
    [button('Cancel'), 'Enter', '!new='],
    [button('Save'), 'Enter', '.failure, .fault'],
  ]),
  ...actionsOf('policies', [
    ['.search-box', 's h', '#q=sh'],
    ['.resources th button', 'Enter', '#sort=name'],
    ['.resources tbody a', 'Enter', '#id='],
    ['.resource-bar .primary', 'Enter', '#new=form'],
  ]),
  ...actionsOf('the form of a policy', [
    ['.map-row .quiet', 'Enter', `${button('Save')}:enabled`],
    [button('JSON'), 'Enter', '#edit=json'],
    [button('+ Condition'), 'Enter', 'legend:has-text("Condition 2")'],
    [button('+ Comparison'), 'Enter', '.form-row >> nth=1'],
    [labelled('Remove Condition 1'), 'Enter', '!legend:has-text("Condition 1")'],
    [button('Cancel'), 'Enter', '!edit='],
  ]),
  ...actionsOf('a policy', [
    ['.give .button', 'Enter', '.give textarea:invalid'],
    ['.give textarea', 'a @ b . c Tab Space Tab Enter', '.resource-section :text("Given to a@b.c")'],
    ['.resource-bar a.button', 'Enter', '#edit=form'],
    [button('Delete'), 'Enter', 'dialog[open]'],
    [button('Delete'), 'Enter Tab Enter', '!dialog[open]'],
  ]),
]

/** Kinds of controls that the views showed, and those that an action used. */
const shown = new Set<string>()
const used = new Set<string>()

/**
 * Returns a string for the kind of each control: its element, class and parent. For a button of a toolbar the string
 * also has its name.
 */
const kindsOf = (elements: readonly Element[]): readonly string[] =>
  elements.map((element) => {
    const { parentElement: parent } = element
    const place = parent?.tagName === 'TH' ? 'TH' : `${parent?.tagName} ${parent?.className}`
    const name = (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/[\d,.]+|[▲▼↓↑]/g, '').trim()
    const isOne = element.tagName === 'BUTTON' && /bar|tools|head|export|tabs|FORM|HEADER/.test(place)
    const kind = element.className.replace(/(state|silence)-\w+/, '')
    return [element.tagName, kind, place, isOne ? name : ''].join(' | ')
  })

async function focus(target: Locator): Promise<void> {
  await target.focus()
  const isReachable = await target.evaluate((element) => {
    const { tabIndex, isContentEditable } = element as HTMLElement
    return isContentEditable || tabIndex >= 0
  })
  // Scripts can focus an element that the keyboard cannot reach.
  expect(isReachable).toBe(true)
  for (const kind of await target.evaluateAll(kindsOf)) used.add(kind)
}

async function expectEffect(page: Page, effect: string): Promise<void> {
  const isGone = effect.startsWith('!')
  const part = isGone ? effect.slice(1) : effect
  const link =
    /^#\/|^#[\w%+-]+=?|^\w+=$|^\w+=\w+$/.test(part) && !/^#(content|query|time)-?\w*:/.test(part)
      ? part.replace(/^#(?!\/)/, '')
      : undefined
  if (link !== undefined) await expect.poll(() => page.url().includes(link)).toBe(!isGone)
  else
    await page
      .locator(part)
      .first()
      .waitFor({ state: isGone ? 'detached' : 'attached' })
}

function viewOf(name: string): View {
  const view = views.find((each) => each.name === name)
  if (view === undefined) throw new Error(`there is no view ${name}`)
  return view
}

test.each(actions)('$view: $keys on $on', async ({ view, on, keys, effect }) => {
  const { page, troubles, close } = await open.show(viewOf(view))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await settled(page)
  if (on !== undefined) await focus(page.locator(on).first())
  for (const key of keys.split(' ')) {
    await page.keyboard.press(key)
    // The page must render the effect of a key before the next one is pressed.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)))')
  }
  await expectEffect(page, effect)
  expect(troubles).toEqual([])
  await close()
})

test('all keys that the page lists were pressed', async () => {
  const { page, close } = await open.open({ now: THEN })
  for (const name of ['rows', 'traces', 'a trace', 'a graph', 'workloads']) {
    await open.visit(page, viewOf(name))
    await settled(page)
    await page.keyboard.press('?')
    const listed = await page.locator('.keys kbd').allTextContents()
    const pressed = actions
      .filter((action) => action.view === name || action.view === 'rows')
      .flatMap(({ keys }) => keys.split(' '))
    expect(listed.filter((key) => key !== '1' && !pressed.includes(key.replace('Ctrl', 'Control')))).toEqual([])
    await page.keyboard.press('Escape')
  }
  await close()
})

test('buttons of all kinds were used', () => {
  expect([...shown].filter((kind) => !used.has(kind))).toEqual([])
})
