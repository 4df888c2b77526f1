import { elementsOf } from '#web/rules/file-value.ts'
import { fileAddress } from '#web/api/upload-file.ts'
import { Icon } from '#web/parts/icon.tsx'
import css from '#web/table/file-view.module.css'

const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/
export const isPicture = (type: string): boolean => PICTURE.test(type)

/** Files as a cell shows them: pictures small, others by name. */
export function FileView({ value }: { value: unknown }) {
  return (
    <span className={css.list}>
      {elementsOf(value).map(({ file_id, name, type }) => (
        <span key={file_id} className={css.file} title={name}>
          <FileSign file_id={file_id} name={name} type={type} />
          {!isPicture(type) && <span className={css.name}>{name}</span>}
        </span>
      ))}
    </span>
  )
}

export function FileSign({ file_id, name, type }: { file_id: string; name: string; type: string }) {
  return isPicture(type) ? (
    <img className={css.picture} src={fileAddress(file_id)} alt={name} loading="lazy" />
  ) : (
    <Icon name="paperclip" size={14} />
  )
}

/** Files as the page of an item shows them: pictures are seen, all of them open. */
export function OpenFiles({ value, label }: { value: unknown; label: string }) {
  const files = elementsOf(value)
  if (!files.length) return null
  return (
    <ul className={css.open} aria-label={`Files of ${label}`}>
      {files.map(({ file_id, name, type, size }) => (
        <li key={file_id}>
          <a href={fileAddress(file_id)} target="_blank" rel="noopener" className={css.link}>
            {isPicture(type) ? (
              <img className={css.large} src={fileAddress(file_id)} alt="" loading="lazy" />
            ) : (
              <Icon name="paperclip" />
            )}
            <span className={css.name}>{name}</span>
            <span className={css.size}>{sizeInWords(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const UNITS = ['bytes', 'KB', 'MB', 'GB']

function sizeInWords(bytes: number): string {
  let [size, unit] = [bytes, 0]
  for (; size >= 1000 && unit < UNITS.length - 1; unit++) size /= 1000
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: size < 10 && unit ? 1 : 0 }).format(size)} ${UNITS[unit]}`
}
