"""What scripted people have to say beside their orders: letters, public press, editorials, answers."""

LETTERS = (
    "Dear editor, your maps grow finer every week.",
    "Sir,\n\nI have stabbed, and been stabbed, and I regret only the second.",
    "May I suggest a prize for the most polite declaration of war? I would win it.",
    "Who let the fleet into the Black Sea?\n\n    It went by night, it went by day,\n    it would not, would not go.",
    "The new game started within a day of the old one's end. My wife asks whether there is a way to stop this.",
    "Could the table show how often each of us was late? I ask for a friend.",
    "I have read the rules again. They say what you said they say. I withdraw my remarks.",
    "Grüße vom Rhein! Die Berichte lesen sich gut beim Frühstück.",
)
PUBLIC = (
    "We come in peace.",
    "The rumours about our fleet are rumours about somebody else's fleet.",
    "To whom it may concern: it concerns you.",
    "Our ambassador has come home with a sunburn and without a treaty.",
    "An army marches on its stomach.\nOurs has eaten.",
    "We deny everything, and shall deny more next season.",
)
EDITORIALS = (
    "Week {week}. The editors wish you good hunting.\n\nNobody had to be reminded twice, and only one of you had to be "
    "reminded once. He knows who he is, and so, by the house rules, does nobody else.",
    "Snow has come to the Danube, and with it the question that every table asks at this time of the year: who builds, "
    "and against whom?\n\nWe have counted the replies. There were more answers than players. The next issue goes out "
    "on Friday, as they all do.",
    "This is the paper's week {week}. It has been a quiet one at the desk, which is where we like it quiet, and a loud "
    "one on the maps.\n\n    When armies rest the press begins,\n    and whoever is quoted wins.",
    "A reader asks what an editor does all week. He waits for letters. Then he prints them.",
)
ANSWERS = (
    "Thank you; we have shown this to the map, which blushed ({mark}).",
    "Noted, filed, and printed ({mark}). What more can a paper do?",
    "No ({mark}).",
)
ERRATUM = (
    "The fleet stood one sea further west than we had it ({mark}). The position of the next phase was right."
)
