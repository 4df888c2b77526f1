import { readdir, readFile } from 'node:fs/promises'

/** Numbers of the processes that the threads of a process have started and that still run; on Linux alone. */
export async function childProcesses(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8'))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
