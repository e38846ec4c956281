import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { RecordFaults } from '../../data/index.ts'

/** What the server counts about itself. Labels are route names and statuses, never anything a client chose. */
export class Telemetry {
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'sluice_http_requests_total',
    help: 'Requests by route, method and status; 499 if the client closed the connection first.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.registry],
  })
  readonly #seconds = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  })

  /** Something that is counted up; asking for it again gives the same. `label` names what its values tell apart. */
  counter(name: string, help: string, label?: string): (count: number, value?: string) => void {
    const known = this.registry.getSingleMetric(name)
    const counter =
      known instanceof Counter
        ? known
        : new Counter<string>({
            name,
            help,
            labelNames: label === undefined ? [] : [label],
            registers: [this.registry],
          })
    return (count, value) => {
      if (label === undefined || value === undefined) counter.inc(count)
      else counter.inc({ [label]: value }, count)
    }
  }

  readonly #unreadableTimes = new Counter({
    name: 'sluice_unreadable_times_total',
    help: 'Records that were stored at the time of their arrival, because their own could not be read, by table.',
    labelNames: ['table'],
    registers: [this.registry],
  })

  readonly #timelessRecords = new Counter({
    name: 'sluice_timeless_records_total',
    help: 'Records that were stored at the time of their arrival, because they have no time, by table.',
    labelNames: ['table'],
    registers: [this.registry],
  })

  /** Figures that are read on request. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    })
    this.registry.registerMetric(gauge)
  }

  /** Figures of one kind, told apart by a label, that are read on request. What is no number is left out. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [],
      async collect() {
        for (const [value, figure] of Object.entries(await read()))
          if (!Number.isNaN(figure)) this.set({ [label]: value }, figure)
      },
    })
    this.registry.registerMetric(gauge)
  }

  /** What is counted elsewhere, read on request. */
  counted(name: string, help: string, read: () => number): void {
    const counter = new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset()
        const count = read()
        // It is not known as yet.
        if (count > 0) this.inc(count)
      },
    })
    this.registry.registerMetric(counter)
  }

  /** Adds memory, event loop and garbage collection of this process; once per process, so only the listener asks. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry, prefix: 'sluice_' })
  }

  /** Counts what was taken into a table of the catalog. */
  took(table: string, { unreadableTimes = 0, timelessRecords = 0 }: Partial<RecordFaults>): void {
    if (unreadableTimes > 0) this.#unreadableTimes.inc({ table }, unreadableTimes)
    if (timelessRecords > 0) this.#timelessRecords.inc({ table }, timelessRecords)
  }

  observe(route: string, method: string, status: number, seconds: number): void {
    this.#requests.inc({ route, method, status })
    this.#seconds.observe({ route }, seconds)
  }
}
