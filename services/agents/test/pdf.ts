/** A PDF with these lines on each page, which have no parentheses and no backslashes. */
export const pdfOf = (pages: readonly (readonly string[])[]): Uint8Array => {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
  const add = (object: string): string => `${objects.push(object)} 0 R`
  const kids = pages.map((lines) => {
    const text = `BT /F1 10 Tf 14 TL 50 800 Td ${lines.map((line) => `(${line}) Tj T*`).join('\n')} ET`
    const contents = add(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`)
    const resources = '/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>'
    return add(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${contents} >>`)
  })
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`
  let file = '%PDF-1.4\n'
  const entries = objects.map((object, index) => {
    const entry = `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return entry
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.from(`${file}${table}${trailer}`, 'latin1')
}
