// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Following

@Suite("The command line of a hook")
struct HookCommandTests {
  private func problem(_ text: String) -> HookCommand.Problem? {
    do throws(HookCommand.Problem) {
      _ = try HookCommand(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "is divided at blanks, except between two quotation marks of a kind",
    arguments: [
      ("wvkbd", ["wvkbd"]), ("  swaymsg \t input\n x ", ["swaymsg", "input", "x"]),
      (#"sh -c "echo 'a  b' > c""#, ["sh", "-c", "echo 'a  b' > c"]),
      (#"sh -c 'echo "$HOME"'"#, ["sh", "-c", #"echo "$HOME""#]),
      ("notify-send \"\" '' x", ["notify-send", "", "", "x"]),
      (#"a"b c"d'e f'"#, ["ab cde f"]), ("\"/opt/my tool\" -x", ["/opt/my tool", "-x"]),
    ])
  func words(text: String, words: [String]) throws {
    #expect(try HookCommand(text).words == words)
  }

  @Test("has no other special characters")
  func special() throws {
    let text = "echo $HOME ~ * ; | & > \\\" x\" `id` #"
    #expect(
      try HookCommand(text).words == ["echo", "$HOME", "~", "*", ";", "|", "&", ">", #"\ x"#, "`id`", "#"])
  }

  @Test("is refused without a command, and with a quotation that does not end")
  func refused() {
    for text in ["", "  ", "''", "\"\" x"] { #expect(problem(text) == .empty) }
    #expect(problem("sh -c 'x") == .openQuotation("'"))
    #expect(problem("sh -c \"x'y'") == .openQuotation("\""))
  }
}
