"""Answers the questions of the bench with polars: one JSON line in, one out, on standard input and output.

    {"load": FILE}                                      {"seconds": S}
    {"ask": ID, "from": NS, "to": NS, "page": N, "trace": ID}    {"rows": [...], "firstMs": T}, {"unknown": true} without such a question
    {"time": BUDGET_MS, "most": RUNS}                   {"medianMs": T} of the question asked last
    {"bytes": true}                                     {"residentBytes": B}

A time is from the expression to the last row as a Python dict.
"""

import json
import sys
import time

import polars as pl

TEXTS = ("level", "workload", "namespace", "env", "cluster", "pod")
MINUTE_NS = 60_000_000_000
col = pl.col


def word(text):
    return col("content").str.contains(r"(?i)\b" + text + r"\b")


def contains(pattern):
    return col("content").str.contains(pattern)


def equals(name, *values):
    return col(name).is_in(list(values)) if len(values) > 1 else col(name) == values[0]


def count(condition):
    return lambda logs, _: logs.filter(condition).select(n=pl.len())


def newest(condition, rows=100):
    # The rows lie in the order of time, so the newest are the last.
    return lambda logs, _: logs.filter(condition).tail(rows).reverse()


def between(ask):
    return (col("t") >= int(ask["from"])) & (col("t") < int(ask["to"]))


def at_share(percent):
    return col("duration_ms").sort().get(pl.len() * percent // 100)


def by(*names, **calls):
    return lambda logs, _: logs.group_by(*names).agg(**calls).sort(*names)


def minute():
    return (col("t") // MINUTE_NS * MINUTE_NS).alias("_time")


COUNT = {"n": pl.len()}
MEAN = {"n": pl.len(), "a": col("duration_ms").mean()}
ERROR_OR_503 = (equals("level", "error") | equals("status", 503)) & equals("namespace", "payments", "discovery")

QUESTIONS = {
    "Q01": newest(word("zyxquartz")),
    "Q02": newest(word("request")),
    "Q03": count(word("request")),
    "Q04": count(word("connection") & word("refused")),
    "Q05": count(word("connection reset by peer")),
    "Q06": count(contains(r"(?i)\bconn")),
    "Q07": count(contains(r"(?i)\buser1234")),
    "Q08": count(contains("(?i)nection re")),
    "Q09": count(contains("(?i)deadbe")),
    "Q10": count(contains("retry [45] of 5 for call to [a-m]")),
    "Q11": count(contains("[a-f]{7}[0-9]{2}")),
    "Q12": newest(equals("workload", "checkout-api") & word("timeout")),
    "Q13": count(equals("level", "error", "warn") & equals("namespace", "payments")),
    "Q14": count(~equals("level", "debug", "info") & word("request")),
    "Q15": count(ERROR_OR_503 & ~word("retry")),
    "Q16": lambda logs, ask: newest(between(ask) & equals("level", "error") & equals("namespace", "payments"))(logs, ask),
    "Q17": lambda logs, _: logs.filter(equals("level", "error")).sort("duration_ms", "t", "seq", descending=True).head(100),
    "Q18": lambda logs, ask: logs.filter(equals("namespace", "payments")).reverse().slice(ask["page"], 100),
    "Q19": lambda logs, ask: count(between(ask))(logs, ask),
    "Q20": by("level", **COUNT),
    "Q21": lambda logs, _: logs.group_by("workload").agg(**COUNT).sort("n", "workload", descending=[True, False]).head(10),
    "Q22": by("workload", n=pl.len(), e=equals("level", "error").sum()),
    "Q23": by("workload", a=col("duration_ms").mean(), p50=at_share(50), p99=at_share(99)),
    "Q24": lambda logs, _: logs.select(n=col("trace_id").n_unique()),
    "Q25": lambda logs, _: logs.group_by(minute()).agg(**COUNT).sort("_time"),
    "Q26": lambda logs, _: logs.group_by("workload", "pod", "status").agg(**MEAN)
    .sort("n", "pod", "status", "workload", descending=[True, False, False, False])
    .head(100),
    "Q27": lambda logs, _: logs.group_by("trace_id").agg(**COUNT).sort("n", "trace_id", descending=[True, False]).head(10),
    "Q28": lambda logs, _: logs.filter(word("timeout")).group_by(minute(), "level").agg(**COUNT).sort("_time", "level"),
    "Q29": lambda logs, _: logs.select(col("pod").unique()).sort("pod"),
    "Q30": newest(equals("level", "error"), 10_000),
    "Q31": lambda logs, ask: newest(equals("trace_id", ask["trace"]))(logs, ask),
    "Q32": count((col("duration_ms") > 500) & (col("status") >= 500)),
    "Q33": lambda logs, ask: by("namespace", "level", **MEAN)(logs.filter(between(ask)), ask),
}


def load(file):
    schema = {"_time": pl.String, **dict.fromkeys(TEXTS, pl.String), "trace_id": pl.String}
    schema |= {"status": pl.Int32, "duration_ms": pl.Float64, "content": pl.String}
    instants = col("_time").str.strip_suffix("Z").str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="ns")
    logs = (
        pl.read_ndjson(file, schema=schema)
        .with_columns(instants.dt.timestamp("ns").alias("t"), col(*TEXTS).cast(pl.Categorical))
        .drop("_time")
        .sort("t", maintain_order=True)
    )
    return logs.with_row_index("seq").rechunk()


def ms_of(run):
    start = time.perf_counter()
    rows = run()
    return rows, (time.perf_counter() - start) * 1000


def median_ms(run, budget_ms, most_runs):
    times = []
    used_ms = 0
    while len(times) < 3 or (used_ms < budget_ms and len(times) < most_runs):
        _, elapsed = ms_of(run)
        times.append(elapsed)
        used_ms += elapsed
        if elapsed > 4 * budget_ms:
            break
    return sorted(times)[len(times) // 2]


def runner(question, logs, ask):
    if ask["jsonLines"]:
        return lambda: question(logs, ask).collect().write_ndjson()
    return lambda: question(logs, ask).collect().to_dicts()


def plain(row):
    """Nanoseconds are beyond what a JSON number keeps."""
    return {name: str(value) if name in ("t", "_time") else value for name, value in row.items()}


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def main():
    logs, run = None, None
    for line in sys.stdin:
        ask = json.loads(line)
        if "load" in ask:
            start = time.perf_counter()
            logs = load(ask["load"]).lazy()
            told = {"seconds": time.perf_counter() - start}
        elif "time" in ask:
            told = {"medianMs": median_ms(run, ask["time"], ask["most"])}
        elif "bytes" in ask:
            told = {"residentBytes": resident_bytes()}
        elif ask["ask"] not in QUESTIONS:
            told = {"unknown": True}
        else:
            run = runner(QUESTIONS[ask["ask"]], logs, ask)
            rows, first_ms = ms_of(run)
            if ask["jsonLines"]:
                rows = [json.loads(line) for line in rows.splitlines()]
            told = {"rows": [plain(row) for row in rows], "firstMs": first_ms}
        print(json.dumps(told), flush=True)


main()
