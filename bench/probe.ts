import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into the measured server with `--import`: measures the delay of its event loop between the messages `start`
 * and `stop`, from the inside, without the service knowing.
 */
const delay = monitorEventLoopDelay({ resolution: 1 })

process.on('message', (message) => {
  if (message === 'start') {
    delay.reset()
    delay.enable()
  } else {
    delay.disable()
    process.send!({ p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 })
  }
})
process.channel?.unref()
