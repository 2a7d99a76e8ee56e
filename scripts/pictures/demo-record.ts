// `npm run demo:record`: the video of the landing page, recorded in the running product with sample
// data: import, search, a deal moved, a task completed, a report. Needs `npm run build` and ffmpeg.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ffmpeg } from './ffmpeg.ts'
import { hand, showPointer } from './hand.ts'
import { type Recording, record } from './recorder.ts'
import { openStage } from './stage.ts'

const folder = join(import.meta.dirname, '../../src/features/landing/demo')
const size = { width: 1280, height: 800 }
const mostBytes = 3_000_000

type Scene = { caption: string; act: (page: Page, mouse: ReturnType<typeof hand>) => Promise<void> }

const list = [
  'Given Name,Family Name,E-mail 1 - Value,Phone 1 - Value,Organization Name',
  'Nora,Winter,nora.winter@harbor.example,+49 40 5550101,Harbor Coffee',
  'Luis,Ortega,luis@ortega-solar.example,+34 91 5550102,Ortega Solar',
  'Priya,Raman,priya.raman@tidewater.example,+44 20 5550103,Tidewater Labs',
  'Jonas,Berg,jonas.berg@fjord.example,+47 22 5550104,Fjord Supply',
  'Amélie,Roux,amelie@roux-design.example,+33 1 5550105,Roux Design',
  'Tomás,Silva,tomas.silva@porto-tiles.example,+351 22 5550106,Porto Tiles',
].join('\n')

const scenes: Scene[] = [
  {
    caption: 'The dashboard: where you stand, and what is due today.',
    async act(page, mouse) {
      await mouse.pointAt(page.getByRole('link', { name: 'Settings', exact: true }))
      await page.waitForTimeout(900)
    },
  },
  {
    caption: 'Bring your list: its columns are matched for you.',
    async act(page, mouse) {
      await mouse.click(page.getByRole('link', { name: 'Settings', exact: true }))
      await mouse.click(page.getByRole('link', { name: /^Import/ }))
      await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
      await page.waitForTimeout(400)
      await page.locator('input[type=file]').setInputFiles({
        name: 'google-contacts.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(list),
      })
      const check = page.getByRole('button', { name: /^Check \d+ rows?$/ })
      await check.waitFor()
      await page.waitForTimeout(1200)
      await mouse.click(check)
    },
  },
  {
    caption: 'A dry run first. Then one click, and one click takes it back.',
    async act(page, mouse) {
      const go = page.getByRole('button', { name: /^Import \d+ contacts?$/ })
      await go.waitFor()
      await page.waitForTimeout(1500)
      await mouse.click(go)
      await page.getByRole('region', { name: 'Summary' }).waitFor()
      await page.waitForTimeout(1800)
    },
  },
  {
    caption: 'Search everything: press / and type.',
    async act(page) {
      await page.keyboard.press('/')
      await page.waitForTimeout(900)
      await page.keyboard.type('priya', { delay: 140 })
      await page
        .getByRole('option', { name: /Priya Raman/ })
        .first()
        .waitFor()
      await page.waitForTimeout(1100)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Priya Raman', level: 1 }).waitFor()
      await page.waitForTimeout(1800)
    },
  },
  {
    caption: 'Every deal where it stands. Drag it on, and the sums follow.',
    async act(page, mouse) {
      await mouse.click(page.getByRole('link', { name: 'Deals', exact: true }))
      await mouse.click(page.getByText('Board', { exact: true }))
      const column = (name: string) => page.getByRole('list', { name })
      const card = column('Proposal').getByRole('listitem').first()
      await card.waitFor()
      await page.waitForTimeout(700)
      await mouse.drag(card, column('Negotiation').getByRole('listitem').first())
      await page.waitForTimeout(1500)
    },
  },
  {
    caption: 'Done is one click away, and what comes next moves up.',
    async act(page, mouse) {
      await mouse.click(page.getByRole('link', { name: 'Tasks', exact: true }))
      const tick = page.getByRole('checkbox', { name: /^Complete/ }).first()
      await tick.waitFor()
      await page.waitForTimeout(900)
      await mouse.click(tick)
      await page.getByText('Task Completed!').waitFor()
      await page.waitForTimeout(1500)
    },
  },
  {
    caption: 'And the numbers: won, lost, expected, and why.',
    async act(page, mouse) {
      await mouse.click(page.getByRole('link', { name: 'Reports', exact: true }))
      await page.getByText('Total Pipeline Value').waitFor()
      await page.waitForTimeout(1800)
      for (let step = 0; step < 45; step += 1) {
        await page.mouse.wheel(0, 20)
        await page.waitForTimeout(40)
      }
      await page.waitForTimeout(2200)
    },
  },
]

mkdirSync(folder, { recursive: true })
const stage = await openStage()
const page = await stage.open({ viewport: size, colorScheme: 'light' })
await showPointer(page)
await page.goto('/app/deals?view=board')
// As after a day's work: what was seen once is there at once.
for (const name of ['Tasks', 'Reports', 'Contacts', 'Deals', 'Dashboard']) {
  await page.getByRole('link', { name, exact: true }).click()
  await page.waitForLoadState('networkidle')
}
await page.getByText('Recent Activity').waitFor()
const poster = join(folder, 'poster.png')
await page.screenshot({ path: poster })
ffmpeg('-i', poster, '-quality', '82', join(folder, 'poster.webp'))
rmSync(poster)
const recording = await record(page)
await page.waitForTimeout(1500)
const captions = await play(recording)
const frames = await recording.stop()
const seconds = recording.now()
await stage.close()
encode(frames)
recording.discard()
writeFileSync(join(folder, 'demo.vtt'), captions)
console.log(`Recorded ${seconds.toFixed(1)} s.`)
process.exit(0)

/** Plays the scenes; answers what is said about them, as WebVTT. */
async function play(film: Recording): Promise<string> {
  const mouse = hand(page)
  const cues = ['WEBVTT']
  let from = 0
  for (const { caption, act } of scenes) {
    await act(page, mouse)
    cues.push(`${clock(from)} --> ${clock(film.now())}\n${caption}`)
    from = film.now()
  }
  return `${cues.join('\n\n')}\n`
}

function clock(at: number): string {
  const minutes = String(Math.floor(at / 60)).padStart(2, '0')
  return `00:${minutes}:${(at % 60).toFixed(3).padStart(6, '0')}`
}

/** Both forms, each with the best quality that keeps it small enough. */
function encode(from: string): void {
  const source = ['-f', 'concat', '-safe', '0', '-i', from, '-an']
  const shape = `fps=30,scale=${size.width}:${size.height}:flags=lanczos,format=yuv420p`
  const forms: [string, (quality: number) => string[]][] = [
    [
      'demo.webm',
      (quality) => [
        '-c:v',
        'libvpx-vp9',
        '-b:v',
        '0',
        '-crf',
        String(quality),
        '-row-mt',
        '1',
        '-cpu-used',
        '3',
      ],
    ],
    [
      'demo.mp4',
      (quality) => [
        '-c:v',
        'libx264',
        '-preset',
        'slow',
        '-profile:v',
        'high',
        '-level',
        '3.2',
        '-crf',
        String(quality - 8),
        '-movflags',
        '+faststart',
      ],
    ],
  ]
  for (const [name, codec] of forms) {
    const file = join(folder, name)
    for (let quality = 32; quality < 60; quality += 4) {
      ffmpeg(...source, '-vf', shape, ...codec(quality), file)
      if (statSync(file).size <= mostBytes) break
    }
    if (statSync(file).size > mostBytes) throw new Error(`${name} stays over ${mostBytes} bytes.`)
  }
}
