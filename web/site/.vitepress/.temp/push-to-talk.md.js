import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Push-to-talk","description":"","frontmatter":{},"headers":[],"relativePath":"push-to-talk.md","filePath":"push-to-talk.md"}');
const _sfc_main = { name: "push-to-talk.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="push-to-talk" tabindex="-1">Push-to-talk <a class="header-anchor" href="#push-to-talk" aria-label="Permalink to &quot;Push-to-talk&quot;">​</a></h1><p>With <code>inputMode: &#39;push-to-talk&#39;</code>, which is the default of <code>connect</code>, the Agent hears the user only while a button is held. Use it where it is noisy, or where several people share a room. The microphone is opened once, and is sent between start and commit.</p><div class="language-ts"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki css-variables vp-code" tabindex="0"><code><span class="line"><span class="code-keyword">import</span><span class="code-keyword"> type</span><span class="code-foreground"> { ParlanceClient } </span><span class="code-keyword">from</span><span class="code-string-expression"> &#39;@parlance/client&#39;</span></span>
<span class="line"></span>
<span class="line"><span class="code-comment">/** Speaks while the button is held, also with the space bar. */</span></span>
<span class="line"><span class="code-keyword">export</span><span class="code-keyword"> const</span><span class="code-function"> holdToTalk</span><span class="code-keyword"> =</span><span class="code-foreground"> (button</span><span class="code-keyword">:</span><span class="code-function"> HTMLButtonElement</span><span class="code-punctuation">,</span><span class="code-foreground"> client</span><span class="code-keyword">:</span><span class="code-function"> ParlanceClient</span><span class="code-foreground">) </span><span class="code-keyword">=&gt;</span><span class="code-foreground"> {</span></span>
<span class="line"><span class="code-keyword">  let</span><span class="code-foreground"> isHeld </span><span class="code-keyword">=</span><span class="code-constant"> false</span></span>
<span class="line"><span class="code-keyword">  const</span><span class="code-function"> start</span><span class="code-keyword"> =</span><span class="code-foreground"> () </span><span class="code-keyword">=&gt;</span><span class="code-foreground"> {</span></span>
<span class="line"><span class="code-keyword">    if</span><span class="code-foreground"> (isHeld) </span><span class="code-keyword">return</span></span>
<span class="line"><span class="code-foreground">    isHeld </span><span class="code-keyword">=</span><span class="code-constant"> true</span></span>
<span class="line"><span class="code-constant">    client</span><span class="code-function">.startPushToTalk</span><span class="code-foreground">()</span></span>
<span class="line"><span class="code-foreground">  }</span></span>
<span class="line"><span class="code-keyword">  const</span><span class="code-function"> end</span><span class="code-keyword"> =</span><span class="code-foreground"> () </span><span class="code-keyword">=&gt;</span><span class="code-foreground"> {</span></span>
<span class="line"><span class="code-keyword">    if</span><span class="code-foreground"> (</span><span class="code-keyword">!</span><span class="code-foreground">isHeld) </span><span class="code-keyword">return</span></span>
<span class="line"><span class="code-foreground">    isHeld </span><span class="code-keyword">=</span><span class="code-constant"> false</span></span>
<span class="line"><span class="code-constant">    client</span><span class="code-function">.commitPushToTalk</span><span class="code-foreground">()</span></span>
<span class="line"><span class="code-foreground">  }</span></span>
<span class="line"><span class="code-constant">  button</span><span class="code-function">.addEventListener</span><span class="code-foreground">(</span><span class="code-string-expression">&#39;pointerdown&#39;</span><span class="code-punctuation">,</span><span class="code-foreground"> start)</span></span>
<span class="line"><span class="code-constant">  button</span><span class="code-function">.addEventListener</span><span class="code-foreground">(</span><span class="code-string-expression">&#39;pointerup&#39;</span><span class="code-punctuation">,</span><span class="code-foreground"> end)</span></span>
<span class="line"><span class="code-constant">  button</span><span class="code-function">.addEventListener</span><span class="code-foreground">(</span><span class="code-string-expression">&#39;pointercancel&#39;</span><span class="code-punctuation">,</span><span class="code-foreground"> end)</span></span>
<span class="line"><span class="code-constant">  button</span><span class="code-function">.addEventListener</span><span class="code-foreground">(</span><span class="code-string-expression">&#39;keydown&#39;</span><span class="code-punctuation">,</span><span class="code-foreground"> ({ key }) </span><span class="code-keyword">=&gt;</span><span class="code-foreground"> key </span><span class="code-keyword">===</span><span class="code-string-expression"> &#39; &#39;</span><span class="code-keyword"> &amp;&amp;</span><span class="code-function"> start</span><span class="code-foreground">())</span></span>
<span class="line"><span class="code-constant">  button</span><span class="code-function">.addEventListener</span><span class="code-foreground">(</span><span class="code-string-expression">&#39;keyup&#39;</span><span class="code-punctuation">,</span><span class="code-foreground"> ({ key }) </span><span class="code-keyword">=&gt;</span><span class="code-foreground"> key </span><span class="code-keyword">===</span><span class="code-string-expression"> &#39; &#39;</span><span class="code-keyword"> &amp;&amp;</span><span class="code-function"> end</span><span class="code-foreground">())</span></span>
<span class="line"><span class="code-foreground">}</span></span></code></pre></div><table tabindex="0"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><code>startPushToTalk()</code></td><td>interrupts the Agent, and sends the microphone</td></tr><tr><td><code>commitPushToTalk()</code></td><td>ends the turn at once: no silence is waited for</td></tr><tr><td><code>cancelPushToTalk()</code></td><td>drops what was said since the start</td></tr></tbody></table><p>All three throw unless the client is connected in this mode. A press without words gives <code>userSpeech</code> with <code>recognized: false</code>, and the Agent does not answer. <a href="./turns">Turns</a> shows how turns end without a button.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("push-to-talk.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const pushToTalk = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  pushToTalk as default
};
