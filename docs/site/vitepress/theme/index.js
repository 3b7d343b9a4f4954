import { watch } from 'vue'
import { onContentUpdated, useData, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './style.css'

export default {
    extends: DefaultTheme,
    setup() {
        const { isDark } = useData()
        onContentUpdated(() => draw(isDark.value))
        watch(isDark, dark => draw(dark))
    }
}

let program

// Draws the diagrams of the page; until then, and without scripts, their text is there.
async function draw(dark) {
    const diagrams = [...document.querySelectorAll('pre.mermaid')]
    if (diagrams.length === 0) {
        return
    }
    program ??= new Promise((resolve, reject) => {
        const script = document.createElement('script')
        script.src = withBase('/mermaid.min.js')
        script.onload = () => resolve(window.mermaid)
        script.onerror = reject
        document.head.append(script)
    })
    const mermaid = await program
    for (const diagram of diagrams) {
        diagram.dataset.text ??= diagram.textContent
        diagram.removeAttribute('data-processed')
        diagram.textContent = diagram.dataset.text
    }
    const fontFamily = 'sans-serif'
    mermaid.initialize({
        startOnLoad: false,
        theme: dark ? 'dark' : 'default',
        fontFamily,
        // Boxes are as wide as their text only where both have the same font.
        sequence: { actorFontFamily: fontFamily, messageFontFamily: fontFamily, noteFontFamily: fontFamily }
    })
    await mermaid.run({ nodes: diagrams })
}
