import { describe, expect, test } from 'vitest'
import { alertsForm, readRuleFilters, rulesForm } from '../../../src/alerting/rules/index.ts'
import { MINUTE_MS, TestGroup, sample } from './environment.ts'

function filters(query: string): ReturnType<typeof readRuleFilters> {
  return readRuleFilters(new URLSearchParams(query))
}

async function evaluated(): Promise<TestGroup> {
  const tested = new TestGroup({
    rules: [
      { alert: 'High', expr: 'load > 0', labels: { team: 'a' } },
      { record: 'a:b', expr: 'load', labels: { team: 'b' } },
    ],
  })
  tested.results.set('load > 0', [sample(2.5, { host: 'x' })])
  await tested.group.evaluate(MINUTE_MS)
  return tested
}

describe('form of /api/v1/alerts', () => {
  test('has times in RFC 3339 and values with an exponent', async () => {
    const { group } = await evaluated()
    expect(alertsForm([group.status()])).toEqual({
      alerts: [
        {
          labels: { alertname: 'High', host: 'x', team: 'a' },
          annotations: {},
          state: 'firing',
          activeAt: '1970-01-01T00:01:00Z',
          value: '2.5e+00',
        },
      ],
    })
  })
})

describe('filters of /api/v1/rules', () => {
  test.each([
    ['', ['High', 'a:b']],
    ['type=alert', ['High']],
    ['match[]={team="b"}', ['a:b']],
    ['match[]={team="b"}&match[]={team=~"a|c"}', ['High', 'a:b']],
    ['file[]=other.yaml', []],
    ['rule_group[]=g&rule_name[]=a:b', ['a:b']],
  ])('%j selects rules', async (query, names) => {
    const { group } = await evaluated()
    const { groups } = rulesForm([group.status()], filters(query))
    expect(groups.flatMap(({ rules }) => rules.map(({ name }) => name))).toEqual(names)
  })

  test('exclude_alerts leaves alerts out and keeps the state of their rule', async () => {
    const { group } = await evaluated()
    const { groups } = rulesForm([group.status()], filters('exclude_alerts=true'))
    expect(groups[0]?.rules[0]).toMatchObject({ name: 'High', state: 'firing', alerts: [] })
  })

  test('group_limit pages through the groups', async () => {
    const { group } = await evaluated()
    const groups = ['c', 'a', 'b'].map((name) => ({ ...group.status(), name }))
    const names: string[] = []
    let token: string | undefined = ''
    while (token !== undefined) {
      const query = new URLSearchParams({ group_limit: '2', ...(token === '' ? {} : { group_next_token: token }) })
      const page: ReturnType<typeof rulesForm> = rulesForm(groups, readRuleFilters(query))
      names.push(page.groups.map(({ name }) => name).join(''))
      token = page.groupNextToken
    }
    expect(names).toEqual(['ab', 'c'])
    expect(() => rulesForm(groups, filters('group_limit=1&group_next_token=gone'))).toThrow(
      'invalid parameter "group_next_token": ',
    )
  })

  test.each(['type=x', 'exclude_alerts=maybe', 'group_limit=x', 'group_next_token=x', 'match[]={'])(
    '%s is refused',
    (query) => {
      expect(() => filters(query)).toThrow(/^invalid parameter "/)
    },
  )
})
