import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, dayOf, weeksAround } from '#web/rules/calendar.ts'
import { readDate } from '#web/rules/read-date.ts'
import { readMoment } from '#web/rules/read-moment.ts'
import { dateText, onDay, sayTyped, typedDate } from '#web/rules/typed-date.ts'

/** A Monday. */
const today = '2026-11-23'

describe('a date as people write it', () => {
  it.each<[string, string, string | readonly string[]]>([
    ['en-GB', '2027-03-12', '2027-03-12'],
    ['en-GB', '2027\u20113\u201112', '2027-03-12'],
    ['en-US', '2027-03-12', '2027-03-12'],
    ['en-US', '2027/3/12', '2027-03-12'],
    ['en-US', '20270312', '2027-03-12'],
    ['en-GB', '12.3.2027', '2027-03-12'],
    ['en-US', '12.3.2027', '2027-03-12'],
    ['de-DE', '12. 3. 2027', '2027-03-12'],
    ['en-GB', '12/03/2027', '2027-03-12'],
    ['en-US', '12/03/2027', '2027-12-03'],
    ['en-US', '3-12-2027', '2027-03-12'],
    ['en-US', '26/10/2026', '2026-10-26'],
    ['en-GB', '10/26/2026', '2026-10-26'],
    ['sv-SE', '12/03/2027', ['2027-03-12', '2027-12-03']],
    ['sv-SE', '26/10/2026', '2026-10-26'],
    ['en-US', '01152027', '2027-01-15'],
    ['en-GB', '01022027', ['2027-02-01', '2027-01-02']],
    ['en-GB', '12/3/27', '2027-03-12'],
    ['en-GB', '12/3/84', ['1984-03-12', '2084-03-12']],
    ['en-GB', '12.3.', '2027-03-12'],
    ['en-GB', '12.3', '2027-03-12'],
    ['en-US', '3/12', '2027-03-12'],
    ['ja-JP', '3/12', '2027-03-12'],
    ['en-GB', '20.11.', ['2026-11-20', '2027-11-20']],
    ['en-GB', '23.11.', '2026-11-23'],
    ['en-GB', '29.2.', '2028-02-29'],
    ['en-GB', 'Today', '2026-11-23'],
    ['en-GB', ' tomorrow ', '2026-11-24'],
    ['en-GB', 'yesterday', '2026-11-22'],
    ['de-DE', 'morgen', '2026-11-24'],
    ['de-DE', 'vorgestern', '2026-11-21'],
    ['en-GB', 'friday', '2026-11-27'],
    ['en-GB', 'fri', '2026-11-27'],
    ['en-GB', 'thurs', '2026-11-26'],
    ['de-DE', 'Freitag', '2026-11-27'],
    ['en-GB', 'monday', ['2026-11-23', '2026-11-30']],
    ['en-GB', 'next monday', '2026-11-30'],
    ['en-GB', 'next friday', ['2026-11-27', '2026-12-04']],
    ['en-GB', 'last friday', '2026-11-20'],
    ['en-GB', 'last monday', '2026-11-16'],
    ['en-GB', 'next week', '2026-11-30'],
    ['en-GB', 'in 2 weeks', '2026-12-07'],
    ['en-GB', 'in a month', '2026-12-23'],
    ['en-GB', 'in 1 year', '2027-11-23'],
    ['en-GB', '3 days ago', '2026-11-20'],
    ['de-DE', 'in 2 Wochen', '2026-12-07'],
    ['fr-FR', 'il y a 3 jours', '2026-11-20'],
    ['en-GB', '12 Mar 2027', '2027-03-12'],
    ['en-GB', 'Fri, 12 Mar 2027', '2027-03-12'],
    ['en-US', 'Mar 12, 2027', '2027-03-12'],
    ['en-US', 'March 12th', '2027-03-12'],
    ['en-GB', '12th of March', '2027-03-12'],
    ['de-DE', '3. Dez. 2027', '2027-12-03'],
    ['es-ES', '12 de marzo de 2027', '2027-03-12'],
    ['fr-FR', '12 mars 2027', '2027-03-12'],
    ['ru-RU', '12 марта 2027', '2027-03-12'],
    ['en-GB', '12 March 0312', '0312-03-12'],
    ['en-GB', '-3d', '2026-11-20'],
    ['en-GB', '+2w', '2026-12-07'],
    ['en-GB', 'in 2w', '2026-12-07'],
    ['en-GB', '10d', '2026-12-03'],
    ['en-GB', '+1m', '2026-12-23'],
    ['en-GB', '-1y', '2025-11-23'],
    ['en-GB', 'next mon', '2026-11-30'],
    ['en-GB', '12 mar', '2027-03-12'],
    ['en-GB', 'Fri 12.3.2027', '2027-03-12'],
    ['de-DE', '12.3.2027 (Fr.)', '2027-03-12'],
    // Which of the two it is, is said by the day of the week.
    ['sv-SE', 'fre 12/03/2027', ['2027-03-12', '2027-12-03']],
    ['pt-BR', 'sexta-feira', '2026-11-27'],
    ['en-GB', '12-Mar-2027', '2027-03-12'],
    ['ja-JP', '2027年3月12日', '2027-03-12'],
    ['ko-KR', '2027년 3월 12일 금요일', '2027-03-12'],
    ['ar-EG', '١٢/٣/٢٠٢٧', '2027-03-12'],
    ['fa-IR', '۲۰۲۷-۰۳-۱۲', '2027-03-12'],
    // Not by the calendar of the Buddha: shown are the years of the common era, and so they are read.
    ['th-TH', '12/3/2027', '2027-03-12'],
    ['th-TH', 'วันศุกร์ที่ 12 มีนาคม 2027', '2027-03-12'],
    ['th-TH', '12 มี.ค. 2027', '2027-03-12'],
    ['vi-VN', 'Thứ Sáu, 12 tháng 3, 2027', '2027-03-12'],
    ['he-IL', 'יום שישי, 12 במרץ 2027', '2027-03-12'],
    // As these languages write it briefly: the year first, also between points, and `г.` at the end.
    ['ko-KR', '27. 3. 12.', ['2027-03-12', '2012-03-27']],
    ['ko-KR', '26. 5. 4.', '2026-05-04'],
    ['ne-NP', '२७/८/१', '2027-08-01'],
    ['bg-BG', '12.03.27 г.', '2027-03-12'],
    ['mk-MK', '29.2.2024 г.', '2024-02-29'],
    // Where it is a day of the week as well.
    ['es-ES', '12 mar', '2027-03-12'],
    ['it-IT', '12 mar', '2027-03-12'],
    ['ro-RO', '12 mar.', '2027-03-12'],
    ['fr-FR', '15 Mar', '2027-03-15'],
    ['cy-GB', '15 Maw', '2027-03-15'],
    ['es-ES', 'mar 9/3/2027', '2027-03-09'],
    ['es-ES', 'mar', '2026-11-24'],
    ['fr-FR', '1er mai', '2027-05-01'],
    ['fr-FR', 'le 1er mai 2027', '2027-05-01'],
    ['pt-BR', '1º de maio de 2027', '2027-05-01'],
    ['es-ES', '1.º de mayo de 2027', '2027-05-01'],
    ['it-IT', '1° maggio', '2027-05-01'],
    ['ca-ES', '1r de maig de 2027', '2027-05-01'],
    ['nl-NL', '1e mei 2027', '2027-05-01'],
    ['sv-SE', '1:a maj 2027', '2027-05-01'],
    ['de-DE', '1. Mai', '2027-05-01'],
    ['en-GB', '0001-01-01', '0001-01-01'],
    ['en-GB', '9999-12-31', '9999-12-31'],
  ])('in %s: %s', (locale, text, days) => {
    const expected = typeof days === 'string' ? { is: 'day', day: days } : { is: 'which', days }
    expect(readDate(text, { locale, today })).toEqual(expected)
  })

  it.each([
    ['0000-01-01', /0001 to 9999/],
    ['12027-03-12', /0001 to 9999/],
    ['12.3.312', /four digits/],
    ['12.3.20277', /four digits/],
    ['12 Mar 20277', /four digits/],
    ['2027-02-29', /no such day/],
    ['31.4.2027', /no such day/],
    ['13/13/2027', /no such day/],
    ['Thu 12 Mar 2027', /another day/],
    ['Thu 12.3.2027', /another day/],
    ['--3d', /Not a date/],
    ['+999999d', /Not a date|no such day/],
    ['March 2027', /Which day/],
    ['12', /Which|which month/],
    ['soon', /Not a date/],
    ['12.3/2027', /Not a date/],
    ['next month maybe', /Not a date/],
    ['in 99999 years', /no such day/],
  ])('refuses %s', (text, message) => {
    const read = readDate(text, { locale: 'en-GB', today })
    expect(read).toEqual({ is: 'fault', message: expect.stringMatching(message) })
  })

  it.each([
    ['es-ES', 'vie 12', /which month/],
    ['es-ES', 'mar 12.3.2027', /another day/],
    ['es-ES', 'mar 31.2.', /no such day/],
    ['en-GB', '1er May', /Not a date/],
  ])('refuses, in %s, %s', (locale, text, message) => {
    expect(readDate(text, { locale, today })).toEqual({
      is: 'fault',
      message: expect.stringMatching(message),
    })
  })

  it('says nothing of nothing', () =>
    expect(readDate('  ', { locale: 'en-GB', today })).toEqual({ is: 'nothing' }))
})

const berlin = { locale: 'en-GB', timeZone: 'Europe/Berlin', now: Date.parse('2026-11-23T09:15:30.123Z') }

describe('a moment as people write it', () => {
  it.each<[string, string, string | readonly string[]]>([
    ['en-GB', '2027-03-12 14:30', '2027-03-12T13:30:00.000Z'],
    ['en-GB', '2027-03-12T14:30:15.123', '2027-03-12T13:30:15.123Z'],
    ['en-GB', '2027-03-12T14:30:00Z', '2027-03-12T14:30:00.000Z'],
    ['en-GB', '2027-03-12 14:30+05:00', '2027-03-12T09:30:00.000Z'],
    ['en-GB', '12.7.2027 14:30', '2027-07-12T12:30:00.000Z'],
    ['en-GB', 'tomorrow 9:05', '2026-11-24T08:05:00.000Z'],
    ['en-GB', 'friday at 2pm', '2026-11-27T13:00:00.000Z'],
    ['en-GB', '12 Mar 2027, 14:30', '2027-03-12T13:30:00.000Z'],
    ['en-GB', '14:30', '2026-11-23T13:30:00.000Z'],
    ['de-DE', 'morgen 14 Uhr', '2026-11-24T13:00:00.000Z'],
    ['fr-FR', '12 mars 14h30', '2027-03-12T13:30:00.000Z'],
    ['en-GB', '2027-03-12', '2027-03-11T23:00:00.000Z'],
    ['en-GB', 'now', '2026-11-23T09:15:30.000Z'],
    ['en-GB', 'in 2 hours', '2026-11-23T11:15:30.000Z'],
    ['en-GB', '-2h', '2026-11-23T07:15:30.000Z'],
    ['en-GB', '+30min', '2026-11-23T09:45:30.000Z'],
    ['en-GB', '+1m', ['2026-11-23T09:16:30.000Z', '2026-12-22T23:00:00.000Z']],
    ['en-GB', 'tomorrow 2pm', '2026-11-24T13:00:00.000Z'],
    ['en-GB', '2 p.m.', '2026-11-23T13:00:00.000Z'],
    ['it-IT', 'domani alle 14:30', '2026-11-24T13:30:00.000Z'],
    ['ko-KR', '2027년 3월 12일 오후 2:30', '2027-03-12T13:30:00.000Z'],
    ['en-GB', '30 minutes ago', '2026-11-23T08:45:30.000Z'],
    ['en-US', 'tomorrow 2:30', ['2026-11-24T01:30:00.000Z', '2026-11-24T13:30:00.000Z']],
    ['en-US', 'tomorrow 2:30 pm', '2026-11-24T13:30:00.000Z'],
    ['en-US', '12:00 am', '2026-11-22T23:00:00.000Z'],
    ['en-US', '2027-03-12 10:30', '2027-03-12T09:30:00.000Z'],
    // Put back: shown twice.
    ['en-GB', '2027-10-31 02:30', ['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z']],
  ])('in %s: %s', (locale, text, moments) => {
    const expected =
      typeof moments === 'string' ? { is: 'moment', moment: moments } : { is: 'which', moments }
    expect(readMoment(text, { ...berlin, locale })).toEqual(expected)
  })

  it.each([
    ['2027-03-28 02:30', /leaves this time out/],
    ['tomorrow 25:00', /no such time of day/],
    ['tomorrow 13 pm', /no such time of day/],
    ['2027-02-30 10:00', /no such day/],
    ['2027-02-30T10:00:00Z', /no such time/],
    ['2027-02-20T10:00:00.1234Z', /three digits/],
    ['0000-02-20T10:00:00Z', /0001/],
    ['0001-01-01T00:00+14:00', /In UTC.* 0001 to 9999/],
    ['9999-12-31T23:59-12:00', /In UTC.* 0001 to 9999/],
    ['0001-01-01 00:10', /In UTC.* 0001 to 9999/],
    ['whenever 10:00', /Not a date/],
  ])('refuses %s', (text, message) => {
    expect(readMoment(text, berlin)).toEqual({ is: 'fault', message: expect.stringMatching(message) })
  })
})

describe('what is stored', () => {
  it.each([
    ['2026-03-10T09:30:00.000Z', '2026-03-10 10:30'],
    ['2026-03-10T09:30:00.123Z', '2026-03-10 10:30:00.123'],
    ['2026-03-10T09:30:07.000Z', '2026-03-10 10:30:07'],
    ['2027-10-31T00:30:00.000Z', '2027-10-31T00:30:00.000Z'],
    ['0001-06-01T00:00:00.500Z', '0001-06-01 00:53:28.500'],
    ['9999-06-01T00:00:00.000Z', '9999-06-01 02:00'],
  ])('%s is edited as %s, and is the same again', (moment, text) => {
    expect(dateText(moment, berlin)).toBe(text)
    expect(typedDate('DateTime', text, berlin)).toEqual({ is: 'value', value: moment })
  })

  it.each<[string, string]>([
    ['2027-03-12', 'Friday, 12 March 2027'],
    ['2027-03-12T13:30:00.000Z', 'Friday, 12 March 2027, 14:30'],
    ['2027-03-12T13:30:05.010Z', 'Friday, 12 March 2027, 14:30:05.010'],
    ['2027-10-31T00:30:00.000Z', 'Sunday, 31 October 2027, 02:30 CEST'],
  ])('is said in full: %s', (value, words) => {
    // Versions of the browser's data differ in a comma.
    expect(sayTyped(value, berlin).replaceAll(/ at |, /g, ' ')).toBe(words.replaceAll(', ', ' '))
  })

  const LOCALES =
    'en-GB en-US en-CA de-DE de-AT fr-FR es-ES es-MX it-IT nl-NL sv-SE nb-NO da-DK pt-BR pt-PT pl-PL ru-RU ja-JP ko-KR zh-CN zh-TW ar-EG fa-IR th-TH he-IL'
  const locales = fc.constantFrom(...LOCALES.split(' '))
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Auckland',
    'America/St_Johns',
  )
  const days = fc.integer({ min: 0, max: 400_000 }).map((count) => addDays('1000-01-01', count)!)
  const times = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) })

  it('is read again as what is said of it: days', () =>
    fc.assert(
      fc.property(locales, days, days, (locale, day, now) => {
        const reader = { ...berlin, locale, now: Date.parse(now) }
        for (const width of ['long', 'short'] as const)
          expect(typedDate('Date', sayTyped(day, reader, width), reader)).toEqual({ is: 'value', value: day })
      }),
      { numRuns: 1500 },
    ))

  it('is read again as what is said of it: moments', () =>
    fc.assert(
      fc.property(locales, zones, times, (locale, timeZone, time) => {
        const reader = { locale, timeZone, now: berlin.now }
        const moment = new Date(time - (time % 60_000)).toISOString()
        // What the clock shows twice is said with its zone, and edited as it is stored.
        if (dateText(moment, reader) === moment) return
        const said = sayTyped(moment, reader)
        expect([said, typedDate('DateTime', said, reader)]).toEqual([said, { is: 'value', value: moment }])
      }),
      { numRuns: 1500 },
    ))
})

it.each([
  ['tomorrow', '2026-11-24'],
  ['tomorrow 14:30', '2026-11-24T13:30:00.000Z'],
])('takes a day and a moment where both may be: %s', (text, value) =>
  expect(typedDate('Any', text, berlin)).toEqual({ is: 'value', value }),
)

it('keeps the time on another day', () => {
  expect(onDay('2027-03-12', 'Date', '2026-01-01', berlin)).toBe('2027-03-12')
  expect(onDay('2027-07-12', 'DateTime', '2026-03-10T09:30:00.123Z', berlin)).toBe('2027-07-12 10:30:00.123')
  expect(onDay('2027-07-12', 'DateTime', undefined, berlin)).toBe('2027-07-12 00:00')
})

it('knows the calendar', () => {
  expect(dayOf(2100, 2, 29)).toBeNull()
  expect(dayOf(2000, 2, 29)).toBe('2000-02-29')
  expect(addDays('0099-12-31', 1)).toBe('0100-01-01')
  expect(addDays('9999-12-31', 1)).toBeNull()
  expect(addDays('0001-01-01', -1)).toBeNull()
  expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
  expect(addMonths('2027-03-31', -4)).toBe('2026-11-30')
  const weeks = weeksAround('2027-03-12', 1)
  expect([weeks.length, weeks[0]![0], weeks.at(-1)![6]]).toEqual([5, '2027-03-01', '2027-04-04'])
  expect(weeksAround('2027-03-12', 7)[0]![0]).toBe('2027-02-28')
})
