/**
 * An expert's queries for a server with the log query language of the reference, by question id. They use whole values
 * and streams instead of words of fields, words in the case of the messages, and an explicit order where ours is
 * implicit.
 */

const NEWEST = 'sort by (_time desc) limit 100'
const count = (filter: string): string => `${filter} | stats count() n`
const between = '_time:[$from, $to)'

/** Fields whose values are the same in all rows of a stream. */
export const STREAM_FIELDS = ['cluster', 'namespace', 'workload', 'pod']

/** The queries. Q23 is missing, since the server only estimates quantiles of many values. */
export const logsByHand: Readonly<Record<string, string | undefined>> = {
  Q01: `zyxquartz | ${NEWEST}`,
  Q02: `request | ${NEWEST}`,
  Q03: count('request'),
  Q04: count('connection refused'),
  Q05: count('"connection reset by peer"'),
  Q06: count('conn*'),
  Q07: count('user1234*'),
  Q08: count('~"nection re"'),
  Q09: count('~"deadbe"'),
  Q10: count('~"retry [45] of 5 for call to [a-m]"'),
  Q11: count('~"[a-f]{7}[0-9]{2}"'),
  Q12: `{workload="checkout-api"} timeout | ${NEWEST}`,
  Q13: count('{namespace="payments"} level:in(error, warn)'),
  Q14: count('-level:in(debug, info) request'),
  Q15: count('{namespace in ("payments", "discovery")} (level:=error or status:=503) -retry'),
  Q16: `${between} {namespace="payments"} level:=error | ${NEWEST}`,
  Q17: 'level:=error | sort by (duration_ms desc, _time desc) limit 100',
  Q18: '{namespace="payments"} | sort by (_time desc) offset $page limit 100',
  Q19: count(between),
  Q20: '* | stats by (level) count() n | sort by (level)',
  Q21: '* | stats by (workload) count() n | sort by (n desc, workload) limit 10',
  Q22: '* | stats by (workload) count() n, count() if (level:=error) e | sort by (workload)',
  Q24: '* | stats count_uniq(trace_id) n',
  Q25: '* | stats by (_time:1m) count() n | sort by (_time)',
  Q26: '* | stats by (workload, pod, status) count() n, avg(duration_ms) a | sort by (n desc, pod, status, workload) limit 100',
  Q27: '* | stats by (trace_id) count() n | sort by (n desc, trace_id) limit 10',
  Q28: 'timeout | stats by (_time:1m, level) count() n | sort by (_time, level)',
  Q29: '* | uniq by (pod) | sort by (pod)',
  Q30: 'level:=error | sort by (_time desc) limit 10000',
  Q31: `trace_id:=$trace | ${NEWEST}`,
  Q32: count('duration_ms:>500 status:>=500'),
  Q33: `${between} | stats by (namespace, level) count() n, avg(duration_ms) a | sort by (namespace, level)`,
}
